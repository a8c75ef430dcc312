/**
 * A call to Hydra about one challenge. `@ory/client` supplies the method, address and headers. It does so only once, because they
 * are the same for each call, except for the challenge.
 */
import type { HttpRequest } from './transport.js';

interface PreparedRequest {
  /** Path and query. */
  url: string;
  options: HttpRequest;
}

/** Stands for the challenge in the prepared address. */
const MARKER = 'challenge-of-this-call';
/** Matches challenges that need no encoding in a query. */
const PLAIN_CHALLENGE = /^[\w.-]*$/;

export class ChallengeCall<Body extends object = never> {
  readonly #preparedCall: Promise<{ prefix: string; suffix: string; options: HttpRequest }>;

  /** @param prepare function of `@ory/client`; called once, with an empty body */
  constructor(prepare: (challenge: string, body: Body) => Promise<PreparedRequest>) {
    this.#preparedCall = prepare(MARKER, {} as Body).then(({ url, options }) => {
      const [prefix = '', suffix = ''] = url.split(MARKER);
      return { prefix, suffix, options };
    });
  }

  async prepare(challenge: string, body?: Body): Promise<PreparedRequest> {
    const { prefix, suffix, options } = await this.#preparedCall;
    const { method, headers } = options;
    const data = body === undefined ? options.data : JSON.stringify(body);
    return { url: prefix + encodeChallenge(challenge) + suffix, options: { method, headers, data } };
  }
}

function encodeChallenge(challenge: string): string {
  return PLAIN_CHALLENGE.test(challenge) ? challenge : new URLSearchParams([['', challenge]]).toString().slice(1);
}
