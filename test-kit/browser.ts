/**
 * A browser without a screen: one cookie jar for all hosts (cookies ignore ports, as in every browser), redirects followed
 * until a page or a door, forms sent as they stand. It runs no script.
 */
import type { PageState } from '../src/contract/page-state.js';
import { CookieJar, readSetCookie } from './cookie-jar.js';
import { formFor } from './forms.js';
import { answerOf, formOf } from './page.js';
import type { Answer, Fields } from './page.js';

/** Where the way ended. At a door nobody is asked: its `status` is 0. */
export interface Page extends Answer {
  url: URL;
}

export interface BrowserOptions {
  /** Addresses that are not requested: redirects are followed up to them. */
  stopAt?: (url: URL) => boolean;
  /** Asked for pages; `en` unless told. */
  language?: string;
  /** Milliseconds since 1970, by which cookies expire. */
  now?: () => number;
  jar?: CookieJar;
}

const MOST_HOPS = 20;

export class Browser {
  readonly jar: CookieJar;

  constructor(private readonly options: BrowserOptions = {}) {
    this.jar = options.jar ?? new CookieJar(options.now);
  }

  /** @throws Error after 20 redirects */
  go(url: string | URL): Promise<Page> {
    return this.#walk(new URL(url), {});
  }

  /** Posts fields to an address of the same page. */
  submit(page: Page, path: string, fields: Fields): Promise<Page> {
    return this.#walk(new URL(path, page.url), { method: 'POST', body: formOf(fields) });
  }

  /**
   * Fills in the first form that has all these fields, hidden ones and all, and sends it as a click would.
   * @param action of the form, or of its button; only needed where several would do
   * @throws Error that names the forms of the page
   */
  fill(page: Page, fields: Fields, action?: string): Promise<Page> {
    const form = formFor(page.html, Object.keys(fields), action);
    const [target, all] = [new URL(form.action, page.url), { ...form.fields, ...fields }];
    if (form.method === 'post') return this.submit(page, target.href, all);
    target.search = formOf(all).toString();
    return this.go(target);
  }

  /** The first of two clicks: the form is sent, but the browser has left before it could follow the answer. */
  submitAndLeave(page: Page, path: string, fields: Fields): Promise<Answer> {
    return this.send(new URL(path, page.url), { method: 'POST', body: formOf(fields) });
  }

  /** The same browser, which does not go beyond these addresses. */
  upTo(stopAt: (url: URL) => boolean): Browser {
    return new Browser({ ...this.options, jar: this.jar, stopAt });
  }

  /** One request with this browser's cookies; follows nothing. */
  async send(url: URL, init: RequestInit): Promise<Answer> {
    const cookie = this.jar.header(url);
    const { language = 'en' } = this.options;
    const headers = new Headers({ accept: 'text/html', 'accept-language': language, ...(cookie === '' ? {} : { cookie }) });
    new Headers(init.headers).forEach((value, name) => headers.set(name, value));
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    const setCookies = response.headers.getSetCookie().map(readSetCookie);
    this.jar.keep(url, setCookies);
    return answerOf(response, await response.text(), setCookies);
  }

  async #walk(start: URL, init: RequestInit): Promise<Page> {
    let [url, request] = [start, init];
    for (let hop = 0; hop < MOST_HOPS; hop++) {
      if (this.options.stopAt?.(url)) return atTheDoor(url);
      const answer = await this.send(url, request);
      if (answer.location === null) return { ...answer, url };
      [url, request] = [new URL(answer.location, url), {}];
    }
    throw new Error(`More than ${MOST_HOPS} redirects, the last to ${url.origin}${url.pathname}`);
  }
}

function atTheDoor(url: URL): Page {
  const state = (page: PageState['page']): never => {
    throw new Error(`Not the page ${page} but the client's door: ${url.pathname}?${[...url.searchParams.keys()].join('&')}`);
  };
  return { url, status: 0, headers: new Headers(), location: null, setCookies: [], html: '', state };
}
