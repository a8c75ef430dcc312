/**
 * A browser of the least kind for walking a request at the upstream's public address: it keeps cookies, takes one hop at a
 * time and never leaves that address. What it is told (where a redirect leads, which cookies are set) is the result.
 */
import { networkReason } from '../../config/system-error.js';

export interface Hop {
  status: number;
  /** Where it leads; null for an answer that is no redirect. */
  location: URL | null;
}

/** A cookie as the upstream set it. The value is not kept where it could be shown. */
export interface SeenCookie {
  name: string;
  domain: string | null;
  secure: boolean;
  sameSite: string | null;
}

export class WalkingBrowser {
  readonly seen: SeenCookie[] = [];
  readonly #jar = new Map<string, string>();

  constructor(
    private readonly origin: string,
    private readonly timeoutMs: number,
  ) {}

  /** @throws WalkEnded when nobody answers, or the address is not on the upstream's origin */
  async go(url: string): Promise<Hop> {
    if (new URL(url).origin !== this.origin) throw new WalkEnded(`it is sent to ${new URL(url).origin}, which is another place`);
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { Connection: 'close', Cookie: [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      signal: AbortSignal.timeout(this.timeoutMs),
    }).catch((error: unknown) => {
      throw new WalkEnded(`nobody answers at ${this.origin} (${networkReason(error)})`);
    });
    await answer.body?.cancel();
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    const location = answer.headers.get('location');
    return { status: answer.status, location: location === null ? null : new URL(location, url) };
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name, value] = splitOnce(pair);
    const given = new Map(attributes.map((attribute) => splitOnce(attribute)).map(([key, text]) => [key.toLowerCase(), text]));
    if (given.get('max-age') === '0' || value === '') this.#jar.delete(name);
    else this.#jar.set(name, value);
    const sameSite = given.get('samesite')?.toLowerCase() ?? null;
    this.seen.push({ name, domain: given.get('domain') ?? null, secure: given.has('secure'), sameSite });
  }
}

/** The way was cut; the message says where, in words that hold no challenge. */
export class WalkEnded extends Error {}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
