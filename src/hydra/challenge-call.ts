/**
 * A call about one challenge. `@ory/client` says its method, address and headers; it is asked once, because for each call it
 * would make URLs and promises for longer than the rest of the call takes.
 */
import type { HttpRequest } from './transport.js';

interface Prepared {
  /** Path and query. */
  url: string;
  options: HttpRequest;
}

/** In the address, in place of the challenge. */
const MARKER = 'challenge-of-this-call';
/** Written in a query as they are. */
const PLAIN = /^[\w.-]*$/;

export class ChallengeCall<Body extends object = never> {
  readonly #prepared: Promise<{ before: string; after: string; options: HttpRequest }>;

  /** @param prepare of the package, with an empty body where the call has one */
  constructor(prepare: (challenge: string, body: Body) => Promise<Prepared>) {
    this.#prepared = prepare(MARKER, {} as Body).then(({ url, options }) => {
      const [before = '', after = ''] = url.split(MARKER);
      return { before, after, options };
    });
  }

  async with(challenge: string, body?: Body): Promise<Prepared> {
    const { before, after, options } = await this.#prepared;
    const { method, headers } = options;
    const data = body === undefined ? options.data : JSON.stringify(body);
    return { url: before + encoded(challenge) + after, options: { method, headers, data } };
  }
}

function encoded(challenge: string): string {
  return PLAIN.test(challenge) ? challenge : new URLSearchParams([['', challenge]]).toString().slice(1);
}
