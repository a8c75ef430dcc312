/**
 * A minimal browser: stores cookies, sends them back, and stops at every redirect so that the test decides whether to
 * follow. No server has to answer at the redirect targets.
 */
import { exchange, type Answer } from './upstream-answer.js';
import { CookieJar } from '../../test-kit/cookie-jar.js';

export class Browser {
  constructor(readonly jar: CookieJar = new CookieJar()) {}

  get(url: string | URL): Promise<Answer> {
    return this.#send(new URL(url), {});
  }

  post(url: string | URL, form: Record<string, string>): Promise<Answer> {
    return this.#send(new URL(url), { method: 'POST', body: new URLSearchParams(form) });
  }

  /** Another browser with a copy of these cookies. */
  clone(): Browser {
    return new Browser(this.jar.clone());
  }

  async #send(url: URL, init: RequestInit): Promise<Answer> {
    const cookies = this.jar.header(url);
    const answer = await exchange(url.href, { ...init, headers: cookies === '' ? {} : { cookie: cookies } });
    this.jar.keep(url, answer.setCookies);
    return answer;
  }
}
