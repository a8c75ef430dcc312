/**
 * A browser without a window and without script. It has one cookie jar for all hosts (cookies ignore ports, as in every browser), follows
 * redirects until it reaches a page or an address at which it stops, and submits forms.
 */
import type { PageState } from '../src/contract/page-state.js';
import { CookieJar, readSetCookie } from './cookie-jar.js';
import { findForm } from './forms.js';
import { toAnswer, toForm, type Answer, type Fields } from './page.js';

/** The page at the end of the redirects. An address at which the browser stops is not requested; its `status` is 0. */
export interface Page extends Answer {
  url: URL;
}

export interface BrowserOptions {
  /** The browser follows redirects until this function returns true for an address, and does not request that address. */
  stopAt?: (url: URL) => boolean;
  /** Value of `Accept-Language`; default `en`. */
  language?: string;
  /** Milliseconds since 1970; decides when cookies expire. Ignored if there is a `jar`, which has its own clock. */
  now?: () => number;
  jar?: CookieJar;
}

const MAX_REDIRECTS = 20;

export class Browser {
  readonly jar: CookieJar;

  constructor(private readonly options: BrowserOptions = {}) {
    this.jar = options.jar ?? new CookieJar(options.now);
  }

  /** @throws Error after 20 redirects */
  go(url: string | URL): Promise<Page> {
    return this.#follow(new URL(url), {});
  }

  /** Posts fields to an address that is relative to the page. */
  submit(page: Page, path: string, fields: Fields): Promise<Page> {
    return this.#follow(new URL(path, page.url), toPost(page, fields));
  }

  /**
   * Fills in the first form that has all these fields, and submits it. Its other fields, such as hidden ones, are sent unchanged.
   * @param action target of the form or of its button; needed to choose a later form, or a button with its own target
   * @throws Error that lists the forms of the page if none has these fields and this target
   */
  fill(page: Page, fields: Fields, action?: string): Promise<Page> {
    const form = findForm(page.html, Object.keys(fields), action);
    const [target, allFields] = [new URL(form.action, page.url), { ...form.fields, ...fields }];
    if (form.method === 'post') return this.submit(page, target.href, allFields);
    target.search = toForm(allFields).toString();
    return this.go(target);
  }

  /** Posts fields, but does not follow the answer, like the first click of a double click. */
  submitAndLeave(page: Page, path: string, fields: Fields): Promise<Answer> {
    return this.send(new URL(path, page.url), toPost(page, fields));
  }

  /** @returns a browser with the same cookies, which stops at the addresses for which `stopAt` returns true */
  withStop(stopAt: (url: URL) => boolean): Browser {
    return new Browser({ ...this.options, jar: this.jar, stopAt });
  }

  /** Sends one request with this browser's cookies, and does not follow redirects. */
  async send(url: URL, init: RequestInit): Promise<Answer> {
    const cookie = this.jar.header(url);
    const { language = 'en' } = this.options;
    const headers = new Headers({ accept: 'text/html', 'accept-language': language, ...(cookie === '' ? {} : { cookie }) });
    new Headers(init.headers).forEach((value, name) => headers.set(name, value));
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    const setCookies = response.headers.getSetCookie().map(readSetCookie);
    this.jar.keep(url, setCookies);
    return toAnswer(response, await response.text(), setCookies);
  }

  async #follow(start: URL, init: RequestInit): Promise<Page> {
    let [url, request] = [start, init];
    for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
      if (this.options.stopAt?.(url)) return buildStopPage(url);
      const answer = await this.send(url, request);
      if (answer.location === null) return { ...answer, url };
      [url, request] = [new URL(answer.location, url), {}];
    }
    throw new Error(`The browser stopped after ${MAX_REDIRECTS} redirects, the last to ${url.origin}${url.pathname}`);
  }
}

/** Builds a POST request with the `Origin` header that browsers send. */
function toPost({ url }: Page, fields: Fields): RequestInit {
  return { method: 'POST', body: toForm(fields), headers: { origin: url.origin } };
}

function buildStopPage(url: URL): Page {
  const state = (page: PageState['page']): never => {
    throw new Error(
      `The browser is not on the page ${page} but stopped before a request to ${url.origin}${url.pathname}?${[...url.searchParams.keys()].join('&')}`,
    );
  };
  return { url, status: 0, headers: new Headers(), location: null, setCookies: [], html: '', state };
}
