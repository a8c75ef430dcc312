/**
 * A minimal browser for requests at Hydra's public address: it stores cookies, follows no redirects and refuses other origins. It reports
 * redirects and cookies.
 */
import { isTimeOut, explainNetworkError } from '../../config/system-error.js';

export interface Hop {
  status: number;
  /** Target of the redirect; null if the answer has none. */
  location: URL | null;
}

/** A cookie set by Hydra, without its value. */
export interface SeenCookie {
  name: string;
  domain: string | null;
  secure: boolean;
  sameSite: string | null;
  /** Null without a valid `Max-Age`. */
  maxAgeSeconds: number | null;
}

export class InspectionBrowser {
  readonly seenCookies: SeenCookie[] = [];
  readonly #jar = new Map<string, string>();

  constructor(
    private readonly origin: string,
    private readonly timeoutMs: number,
  ) {}

  /**
   * @param form fields to post; without them, the request is a GET
   * @throws InspectionStopped if there is no answer, the address is not on Hydra's origin, or the answer redirects to an invalid address
   */
  async go(url: string, form?: Readonly<Record<string, string>>): Promise<Hop> {
    if (new URL(url).origin !== this.origin)
      throw new InspectionStopped(`the browser is sent to ${new URL(url).origin}, which is not the public address of Hydra`);
    const answer = await fetch(url, {
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
      redirect: 'manual',
      headers: { Connection: 'close', Cookie: [...this.#jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      signal: AbortSignal.timeout(this.timeoutMs),
    }).catch((error: unknown) => {
      throw new InspectionStopped(`no server answers at ${this.origin} (${explainNetworkError(error)})`, isTimeOut(error));
    });
    await answer.body?.cancel();
    for (const line of answer.headers.getSetCookie()) this.#storeCookie(line);
    const location = answer.headers.get('location');
    if (location !== null && !URL.canParse(location, url))
      throw new InspectionStopped('Hydra answered with a redirect to an invalid address');
    return { status: answer.status, location: location === null ? null : new URL(location, url) };
  }

  #storeCookie(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const [name, value] = splitOnce(pair);
    const attributeValues = new Map(
      attributes.map((attribute) => splitOnce(attribute)).map(([key, text]) => [key.toLowerCase(), text]),
    );
    if (attributeValues.get('max-age') === '0' || value === '') this.#jar.delete(name);
    else this.#jar.set(name, value);
    const sameSite = attributeValues.get('samesite')?.toLowerCase() ?? null;
    const maxAge = attributeValues.get('max-age');
    const maxAgeSeconds = maxAge === undefined || !/^\d{1,12}$/.test(maxAge) ? null : Number(maxAge);
    this.seenCookies.push({
      name,
      domain: attributeValues.get('domain') ?? null,
      secure: attributeValues.has('secure'),
      sameSite,
      maxAgeSeconds,
    });
  }
}

/** The inspection cannot continue. The message is a phrase that states why, and contains no challenge. */
export class InspectionStopped extends Error {
  constructor(
    message: string,
    /** Whether there was no answer within the time limit of the request. */
    readonly isTimeOut = false,
  ) {
    super(message);
  }
}

function splitOnce(text: string): [string, string] {
  const index = text.indexOf('=');
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}
