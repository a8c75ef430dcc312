/** Two tabs of one app over HTTP: an older request, a newer one of the same client, and the older one started again. */
import type { Account } from '../../src/accounts/account/accounts.js';
import { PATHS } from '../../src/contract/paths.js';
import type { ConsentRequest, LoginRequest } from '../../src/hydra/hydra.port.js';
import { PASSWORD, type TestGateway } from './gateway.js';
import type { Fields, TestBrowser, TestPage } from './test-browser.js';

let count = 0;

export const loginAddress = (challenge: string): string => `${PATHS.login}?login_challenge=${challenge}`;
const consentAddress = (challenge: string): string => `${PATHS.consent}?consent_challenge=${challenge}`;

export interface Tab {
  challenge: string;
  requestUrl: string;
  page: TestPage;
}

export class TwoTabsStory {
  constructor(private readonly gateway: TestGateway) {}

  /** Opens a new request in this browser. */
  async open(browser: TestBrowser, more: Partial<LoginRequest> = {}): Promise<Tab> {
    const challenge = more.challenge ?? `tab-${(count += 1)}`;
    const { requestUrl } = this.gateway.hydra.addLogin({
      challenge,
      requestUrl: this.gateway.hydra.requestUrl({ state: `state-of-${challenge}` }),
      ...more,
    });
    return { challenge, requestUrl, page: await browser.get(loginAddress(challenge)) };
  }

  /** Opens a new consent request in this browser. */
  async openConsent(browser: TestBrowser, more: Partial<ConsentRequest> & { subject: string }): Promise<Tab> {
    const challenge = more.challenge ?? `tab-${(count += 1)}`;
    const { requestUrl } = this.gateway.hydra.addConsent({
      challenge,
      requestUrl: this.gateway.hydra.requestUrl({ state: `state-of-${challenge}` }),
      ...more,
    });
    return { challenge, requestUrl, page: await browser.get(consentAddress(challenge)) };
  }

  /** @returns the older tab, after which a newer one was opened */
  async openOlder(browser: TestBrowser, more: Partial<LoginRequest> = {}): Promise<Tab> {
    const older = await this.open(browser, more);
    await this.open(browser, more.client ? { client: more.client } : {});
    return older;
  }

  submit(browser: TestBrowser, { challenge, page }: Tab, { username }: Pick<Account, 'username'>, more: Fields = {}) {
    const { xsrf_token } = page.state('login').login;
    const fields = { _xsrf: xsrf_token, login_challenge: challenge, username, password: PASSWORD, ...more };
    return browser.post(PATHS.loginNative, fields);
  }

  /** Opens the same request again, as Hydra begins it. @returns the answer to its login page */
  async openAgain(
    browser: TestBrowser,
    requestUrl: string,
    more: Partial<LoginRequest> = {},
  ): Promise<TestPage & { challenge: string }> {
    const challenge = `again-${(count += 1)}`;
    this.gateway.hydra.addLogin({ challenge, requestUrl, ...more });
    return { ...(await browser.get(loginAddress(challenge))), challenge };
  }

  findAccepted(wanted: string) {
    return this.gateway.hydra.calls.filter(
      (call) => (call.call === 'acceptLogin' || call.call === 'acceptConsent') && call.challenge === wanted,
    );
  }
}
