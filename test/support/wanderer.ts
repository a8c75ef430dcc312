/**
 * A person's browser on the way through app, upstream and gateway: follows redirects over hosts and ports with one cookie
 * jar, and stops at a page or at the client's door. Cookies ignore ports, as in every browser.
 */
import type { PageState } from '../../src/contract/page-state.js';
import { CookieJar, readSetCookie } from './upstream-cookie-jar.js';
import { formOf, pageOf } from './test-browser.js';
import type { Fields, TestPage } from './test-browser.js';

export interface Arrival extends TestPage {
  url: URL;
}

const MOST_HOPS = 20;

export class Wanderer {
  readonly jar = new CookieJar();

  /** @param doors addresses that nobody serves (the client's): the way ends there */
  constructor(readonly doors: readonly string[]) {}

  go(url: string): Promise<Arrival> {
    return this.#walk(new URL(url), {});
  }

  /** Posts a page's form to an address of the same page. */
  submit(page: Arrival, path: string, fields: Fields): Promise<Arrival> {
    return this.#walk(new URL(path, page.url), { method: 'POST', body: formOf(fields) });
  }

  /** The first of two clicks: the form is sent, but the browser has left before it could follow the answer. */
  async submitAndLeave(page: Arrival, path: string, fields: Fields): Promise<TestPage> {
    return this.#send(new URL(path, page.url), { method: 'POST', body: formOf(fields) });
  }

  async #walk(start: URL, init: RequestInit): Promise<Arrival> {
    let [url, request] = [start, init];
    for (let hop = 0; hop < MOST_HOPS; hop++) {
      if (this.doors.some((door) => url.href.startsWith(door))) return atTheDoor(url);
      const answer = await this.#send(url, request);
      if (answer.location === null) return { ...answer, url };
      [url, request] = [new URL(answer.location, url), {}];
    }
    throw new Error(`More than ${MOST_HOPS} redirects, the last to ${url.origin}${url.pathname}`);
  }

  async #send(url: URL, init: RequestInit): Promise<TestPage> {
    const cookie = this.jar.header(url);
    const headers = { accept: 'text/html', 'accept-language': 'en', ...(cookie === '' ? {} : { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    const setCookies = response.headers.getSetCookie().map(readSetCookie);
    this.jar.keep(url, setCookies);
    return pageOf(response, await response.text(), setCookies);
  }
}

function atTheDoor(url: URL): Arrival {
  const state = (page: PageState['page']): never => {
    throw new Error(`Not the page ${page} but the client's door: ${url.pathname}?${[...url.searchParams.keys()].join('&')}`);
  };
  return { url, status: 0, headers: new Headers(), location: null, setCookies: [], html: '', state };
}
