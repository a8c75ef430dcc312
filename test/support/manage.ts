/**
 * People in the account area, for tests: signed in at the upstream, entered with a token, with page and RPC calls
 * available.
 */
import type { Account } from '../../src/accounts/account/accounts.js';
import { randomToken } from '../../src/config/keys.js';
import type { PageName, PageState } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { PASSWORD, type TestGateway } from './gateway.js';
import { RpcClient } from './rpc-client.js';
import type { Fields, TestBrowser, TestPage } from './test-browser.js';

let count = 0;

/** Creates a person with `PASSWORD`. */
export function newPerson(gateway: TestGateway, more: Parameters<TestGateway['account']>[1] = {}): Promise<Account> {
  return gateway.account(`area${(count += 1)}.${randomToken(4).replaceAll('-', 'x').replaceAll('_', 'x')}`, more);
}

/** Signs in with username and password, so the proof is fresh. */
export async function signIn(
  gateway: TestGateway,
  browser: TestBrowser,
  { username }: Account,
  password = PASSWORD,
): Promise<void> {
  const challenge = `area-login-${(count += 1)}`;
  gateway.hydra.addLogin({ challenge, sessionId: `area-sid-${count}` });
  const page = await browser.get(`${PATHS.login}?login_challenge=${challenge}`);
  const { xsrf_token } = page.state('login').login;
  const fields = { _xsrf: xsrf_token, login_challenge: challenge, username, password };
  const answer = await browser.post(PATHS.loginNative, fields);
  if (answer.status !== 303) throw new Error(`The sign-in answered ${answer.status}`);
}

/** Adds an access token that opens the account area. */
export function accessToken(gateway: TestGateway, { id }: Pick<Account, 'id'>, more: object = {}): string {
  const token = `ory_at_${randomToken()}`;
  gateway.hydra.addToken(token, { subject: id, ...more });
  return token;
}

export class ManageUser {
  constructor(
    readonly gateway: TestGateway,
    readonly account: Account,
    readonly browser: TestBrowser,
  ) {}

  /** @param given `fresh`: signed in with the password; `proven`: the password was typed in the account area */
  static async enter(
    gateway: TestGateway,
    given: { account?: Account; fresh?: boolean; proven?: boolean } = {},
  ): Promise<ManageUser> {
    const account = given.account ?? (await newPerson(gateway));
    const browser = gateway.browser({ 'accept-language': 'en' });
    if (given.fresh ?? false) await signIn(gateway, browser, account);
    const entry = await browser.get(`${PATHS.manage}?t=${accessToken(gateway, account)}`);
    if (entry.location !== PATHS.manage) throw new Error(`The area answered ${entry.status} ${entry.location ?? ''}`);
    const user = new ManageUser(gateway, account, browser);
    if (given.proven ?? false) await user.prove();
    return user;
  }

  async prove(password = PASSWORD): Promise<void> {
    const { status } = await this.post(PATHS.manageConfirm, { method: 'password', password });
    if (status !== 303) throw new Error(`The proof answered ${status}`);
  }

  async page<Name extends PageName>(path: string, name: Name): Promise<Extract<PageState, { page: Name }>> {
    return (await this.browser.get(path)).state(name);
  }

  /** Answers the question of the page after a logout without a session at the upstream. */
  async logOut(): Promise<TestPage> {
    const { xsrf_token: _xsrf } = (await this.browser.get(PATHS.logoutCallback)).state('logout').logout;
    return this.browser.post(PATHS.logoutAccept, { _xsrf, logout_challenge: '' });
  }

  /** RPC calls with the token of a new page. */
  async rpc(): Promise<RpcClient> {
    const { api } = await this.page(PATHS.manage, 'manage');
    return new RpcClient(this.gateway.url, api.token);
  }

  async post(path: string, fields: Fields = {}): Promise<TestPage> {
    const { area } = await this.page(PATHS.manage, 'manage');
    return this.browser.post(path, { _xsrf: area.xsrf_token, ...fields });
  }
}
