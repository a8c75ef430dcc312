/** A browser without a screen: keeps cookies, follows nothing by itself, reads the page state, posts forms as they stand. */
import { CookieJar, readSetCookie } from './upstream-cookie-jar.js';
import type { SetCookie } from './upstream-cookie-jar.js';
import type { PageState } from '../../src/contract/page-state.js';

export interface TestPage {
  status: number;
  headers: Headers;
  /** `Location`, when it is a redirect. */
  location: string | null;
  setCookies: SetCookie[];
  html: string;
  /** The state on the page root (GEN-1); throws when there is none. */
  state<Page extends PageState['page']>(page: Page): Extract<PageState, { page: Page }>;
}

export type Fields = Record<string, string | readonly string[]>;

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
    return this.request(path, { method: 'POST', body: formOf(fields), headers });
  }

  async request(path: string, init: RequestInit = {}): Promise<TestPage> {
    const url = new URL(path, this.origin);
    const cookie = this.#jar.header(url);
    const cookies = [this.headers['cookie'], cookie].filter(Boolean).join('; ');
    const headers = {
      accept: 'text/html',
      ...this.headers,
      ...(cookies === '' ? {} : { cookie: cookies }),
      ...(init.headers as object),
    };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    const setCookies = response.headers.getSetCookie().map(readSetCookie);
    this.#jar.keep(url, setCookies);
    return pageOf(response, await response.text(), setCookies);
  }

  /** `name=value` of those that a browser would bring to this address; `Secure` counts as met, as on localhost. */
  cookies(path: string): string[] {
    const url = new URL(path, this.origin);
    url.protocol = 'https:';
    return this.#jar.list(url).map(({ name, value }) => `${name}=${value}`);
  }

  /** Somebody who holds a copy of this browser's cookies as they are now. */
  clone(): TestBrowser {
    const clone = new TestBrowser(this.origin, this.headers);
    clone.#jar = this.#jar.clone();
    return clone;
  }

  /** Another browser with the same cookies, for what happens at the same moment. */
  twin(): TestBrowser {
    const twin = new TestBrowser(this.origin, this.headers);
    twin.#jar = this.#jar;
    return twin;
  }
}

export function formOf(fields: Fields): URLSearchParams {
  const body = new URLSearchParams();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) body.append(name, value);
  return body;
}

export function pageOf(response: Response, html: string, setCookies: SetCookie[]): TestPage {
  return {
    status: response.status,
    headers: response.headers,
    location: response.headers.get('location'),
    setCookies,
    html,
    state: (page) => {
      const attribute = /data-state="([^"]*)"/.exec(html)?.[1];
      if (attribute === undefined) throw new Error(`A ${response.status} without a page: ${html.slice(0, 200)}`);
      const state = JSON.parse(unescapeHtml(attribute)) as PageState;
      if (state.page !== page) throw new Error(`The page is ${state.page}, not ${page}: ${JSON.stringify(state).slice(0, 500)}`);
      return state as Extract<PageState, { page: typeof page }>;
    },
  };
}

function unescapeHtml(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => named[name] ?? '');
}
