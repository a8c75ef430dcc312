/** A person in the account area: redeems the code of a login, opens the area, and makes RPC calls with the token of the previous answer. */
import type { Agent } from 'node:http';
import { CALL_HEADERS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import { BrowserClient, toText } from './browser-client.js';
import { toState, type Person, type Route } from './login-walk.js';
import { redeemCode } from './token-exchange.js';

export class ManageWalk {
  readonly #browser: BrowserClient;
  #token = '';

  constructor(
    private readonly route: Route,
    person: Person,
    agent: Agent,
  ) {
    this.#browser = new BrowserClient(agent, person.address);
  }

  /** @param code the code of a login that has just ended */
  async open(code: string): Promise<this> {
    const accessToken = await redeemCode(this.#browser, this.route, code);
    const entry = new URL(`${PATHS.manage}?t=${encodeURIComponent(accessToken)}`, this.route.gateway);
    const { status, location } = await this.#browser.get(entry);
    if (status !== 303 || location === null) throw new Error(`The account area answers ${status}.`);
    const page = await this.#browser.get(new URL(location, entry));
    const state = toState(toText(page));
    if (state?.page !== 'manage')
      throw new Error(`The answer is not the account area (status ${page.status}): ${toText(page).slice(0, 300)}`);
    this.#token = state.api.token;
    return this;
  }

  /** @param shouldRenew false to use the same token again, which is accepted for some seconds */
  async call(shouldRenew: boolean): Promise<void> {
    const url = new URL(`${PATHS.manageRpc}/userinfo`, this.route.gateway);
    const { status, headers } = await this.#browser.get(url, { authorization: `Bearer ${this.#token}` });
    const next = headers[CALL_HEADERS.nextToken];
    if (status !== 200 || typeof next !== 'string') throw new Error(`A call answers ${status}.`);
    if (shouldRenew) this.#token = next;
  }

  /** Makes a call that the guard refuses. */
  async callWithoutToken(): Promise<void> {
    const { status } = await this.#browser.get(new URL(`${PATHS.manageRpc}/userinfo`, this.route.gateway));
    if (status !== 401) throw new Error(`A call without a token answers ${status}.`);
  }
}
