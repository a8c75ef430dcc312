/** A browser without a window: stores cookies, follows no redirects, reads the page state, submits forms as they are. */
import { CookieJar, readSetCookie } from '../../test-kit/cookie-jar.js';
import { toAnswer, toForm, type Answer, type Fields } from '../../test-kit/page.js';

export type { Fields } from '../../test-kit/page.js';
export type TestPage = Answer;

export class TestBrowser {
  #jar = new CookieJar();

  constructor(
    readonly origin: string,
    readonly headers: Record<string, string> = {},
  ) {}

  get(path: string, headers: Record<string, string> = {}): Promise<TestPage> {
    return this.request(path, { headers });
  }

  post(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<TestPage> {
    return this.request(path, { method: 'POST', body: toForm(fields), headers });
  }

  async request(path: string, init: RequestInit = {}): Promise<TestPage> {
    const url = new URL(path, this.origin);
    const cookie = this.#jar.header(url);
    const cookies = [this.headers['cookie'], cookie].filter(Boolean).join('; ');
    const headers = {
      accept: 'text/html',
      // Compressing pages costs processor time; the tests of compression ask for it.
      'accept-encoding': 'identity',
      ...this.headers,
      ...(cookies === '' ? {} : { cookie: cookies }),
      ...(init.headers as object),
    };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    const setCookies = response.headers.getSetCookie().map(readSetCookie);
    this.#jar.keep(url, setCookies);
    return toAnswer(response, await response.text(), setCookies);
  }

  /** `name=value` of the cookies that a browser would send to this address. */
  cookies(path: string): string[] {
    return this.#jar.list(new URL(path, this.origin)).map(({ name, value }) => `${name}=${value}`);
  }

  /** The browser is closed and opened again. */
  close(): void {
    this.#jar.close();
  }

  /** A second browser with a copy of this browser's current cookies. */
  clone(): TestBrowser {
    const clone = new TestBrowser(this.origin, this.headers);
    clone.#jar = this.#jar.clone();
    return clone;
  }

  /** A second browser that shares these cookies, for simultaneous requests. */
  twin(): TestBrowser {
    const twin = new TestBrowser(this.origin, this.headers);
    twin.#jar = this.#jar;
    return twin;
  }
}
