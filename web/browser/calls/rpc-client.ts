/**
 * The RPC client of the account area and of an enrolment during a sign-in. The answer to an accepted call contains the token for
 * the next call (RPC-8), so calls are sent one after the other. After an error that the page cannot show, the client
 * opens another page (ERR-2).
 */
import { CALL_HEADERS } from '../../../src/contract/form-fields.js';
import { PATHS } from '../../../src/contract/paths.js';
import { FULL_PAGE_ERRORS } from '../../../src/contract/rpc.js';
import { leaveFor } from '../address.js';
import { readAnswer, sendCall, type Answer, type Call } from './call.js';

/** During this time the server accepts the same token again, so a lost answer does not end the session. */
const REPEAT_WITHIN_MS = 10_000;

/** @returns the address to go to, or null for an error code that the page shows itself */
export type FindExit = (code: string) => string | null;

export class RpcClient {
  #token: string;
  readonly #findExit: FindExit;
  #lastCall: Promise<unknown> = Promise.resolve();

  constructor(token: string, findExit: FindExit) {
    this.#token = token;
    this.#findExit = findExit;
  }

  get<Body>(path: string): Promise<Answer<Body>> {
    return this.#queue(() => this.#call({ method: 'GET', path }));
  }

  post<Body>(path: string, body?: object): Promise<Answer<Body>> {
    return this.#queue(() => this.#call({ method: 'POST', path, body }));
  }

  put<Body>(path: string, body: object): Promise<Answer<Body>> {
    return this.#queue(() => this.#call({ method: 'PUT', path, body }));
  }

  #queue<Body>(call: () => Promise<Answer<Body>>): Promise<Answer<Body>> {
    const result = this.#lastCall.then(call);
    this.#lastCall = result;
    return result;
  }

  async #call<Body>(call: Omit<Call, 'headers'>): Promise<Answer<Body>> {
    const authorizedCall: Call = {
      ...call,
      path: PATHS.manageRpc + call.path,
      headers: { authorization: `Bearer ${this.#token}` },
    };
    const startedAt = performance.now();
    let response = await sendCall(authorizedCall);
    if (!response && performance.now() - startedAt < REPEAT_WITHIN_MS) response = await sendCall(authorizedCall);
    this.#token = response?.headers.get(CALL_HEADERS.nextToken) ?? this.#token;
    const answer = await readAnswer<Body>(response);
    const exitUrl = answer.kind === 'failed' ? this.#findExit(answer.code) : null;
    if (exitUrl === null) return answer;
    // The calls that wait are never sent. The browser may restore this page later, and new calls must not wait behind them.
    this.#lastCall = Promise.resolve();
    return leaveFor(exitUrl);
  }
}

/** @param page path to return to after a fresh proof; null if the page handles `proof required` itself */
export function buildExitFromManage(page: string | null): FindExit {
  return (code) => {
    if (FULL_PAGE_ERRORS.includes(code)) return PATHS.manageError + code;
    return code === 'proof required' ? page : null;
  };
}
