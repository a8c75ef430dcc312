/**
 * The cookies of one browser (RFC 6265, section 5): per host, regardless of ports, with path, Secure and expiry. HttpOnly and
 * SameSite are parsed so that tests can assert them, but have no effect on requests.
 */
export interface SetCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly maxAgeSeconds: number | undefined;
  readonly expires: Date | undefined;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly sameSite: string | undefined;
}

interface StoredCookie {
  readonly cookie: SetCookie;
  readonly expiresAtMs: number;
}

export function readSetCookie(header: string): SetCookie {
  const [pair = '', ...attributes] = header.split(';').map((part) => part.trim());
  const attribute = new Map(attributes.map((text) => [splitOnce(text)[0].toLowerCase(), splitOnce(text)[1]]));
  const maxAge = attribute.get('max-age');
  const expires = attribute.get('expires');
  return {
    name: splitOnce(pair)[0],
    value: splitOnce(pair)[1],
    path: attribute.get('path') ?? '/',
    maxAgeSeconds: maxAge === undefined ? undefined : Number(maxAge),
    expires: expires === undefined ? undefined : new Date(expires),
    secure: attribute.has('secure'),
    httpOnly: attribute.has('httponly'),
    sameSite: attribute.get('samesite'),
  };
}

export class CookieJar {
  readonly #hosts = new Map<string, Map<string, StoredCookie>>();

  /** @param now milliseconds since 1970; a test that moves the upstream's clock passes that clock */
  constructor(private readonly now: () => number = Date.now) {}

  keep(url: URL, cookies: readonly SetCookie[]): void {
    const storedCookies = this.#getCookies(url);
    for (const cookie of cookies) {
      const expiresAtMs = this.#toExpiresAtMs(cookie);
      if (expiresAtMs <= this.now()) storedCookies.delete(toKey(cookie));
      else storedCookies.set(toKey(cookie), { cookie, expiresAtMs });
    }
  }

  /** @returns the Cookie header for this address; empty if no cookie matches */
  header(url: URL): string {
    return this.list(url)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  list(url: URL): SetCookie[] {
    return [...this.#getCookies(url).values()]
      .filter(({ expiresAtMs }) => expiresAtMs > this.now())
      .map(({ cookie }) => cookie)
      .filter(({ path, secure }) => coversPath(path, url.pathname) && (!secure || isTrustworthy(url)));
  }

  /** Deletes the cookies whose names begin with the prefix; without a prefix, all cookies of the host. */
  drop(url: URL, prefix = ''): void {
    for (const [key, { cookie }] of this.#getCookies(url)) if (cookie.name.startsWith(prefix)) this.#getCookies(url).delete(key);
  }

  /** Closes and reopens the browser: only cookies with an expiry remain. */
  close(): void {
    for (const cookies of this.#hosts.values()) {
      for (const [key, { expiresAtMs }] of cookies) if (expiresAtMs === Number.POSITIVE_INFINITY) cookies.delete(key);
    }
  }

  /** @returns a copy, for a second browser with the same cookies */
  clone(): CookieJar {
    const copy = new CookieJar(this.now);
    for (const [host, cookies] of this.#hosts) copy.#hosts.set(host, new Map(cookies));
    return copy;
  }

  /** RFC 6265, section 5.3: Max-Age overrides Expires; with neither, the cookie expires when the browser is closed. */
  #toExpiresAtMs({ maxAgeSeconds, expires }: SetCookie): number {
    if (maxAgeSeconds !== undefined) return maxAgeSeconds <= 0 ? 0 : this.now() + maxAgeSeconds * 1000;
    return expires?.getTime() ?? Number.POSITIVE_INFINITY;
  }

  #getCookies({ hostname }: URL): Map<string, StoredCookie> {
    const cookies = this.#hosts.get(hostname) ?? new Map<string, StoredCookie>();
    this.#hosts.set(hostname, cookies);
    return cookies;
  }
}

/** Loopback addresses, to which browsers send Secure cookies also without TLS. */
const LOOPBACK = /^((.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function isTrustworthy({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || LOOPBACK.test(hostname);
}

const toKey = ({ name, path }: SetCookie): string => `${path} ${name}`;

/** Compares paths (RFC 6265, section 5.1.4). */
function coversPath(path: string, requestPath: string): boolean {
  return requestPath === path || requestPath.startsWith(path.endsWith('/') ? path : `${path}/`);
}

function splitOnce(text: string): [string, string] {
  const index = text.indexOf('=');
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}
