/** The RPC calls of the second step of a sign-in (MFV-4). The token identifies the pending sign-in and does not change. */
import { FACTOR_PATHS } from '../../../src/contract/factor-paths.js';
import { CALL_HEADERS } from '../../../src/contract/form-fields.js';
import type { MfaVerificationState } from '../../../src/contract/mfa-state.js';
import { FULL_PAGE_ERRORS } from '../../../src/contract/rpc.js';
import { leaveFor } from '../address.js';
import { readAnswer, sendCall, type Answer } from './call.js';

interface FactorToken {
  /** The form sends this value as `mfa_token`. */
  token: string;
}

export class MfaCalls {
  readonly #headers: Readonly<Record<string, string>>;
  readonly #stepUrl: string;
  #hasBegun = false;

  /**
   * @param stepUrl address of the step. The page opens it again when the sign-in has ended, and when another tab has signed in, which gives
   *   the browser a new id
   */
  constructor({ token, xsrf_token: xsrf }: Pick<MfaVerificationState, 'token' | 'xsrf_token'>, stepUrl: string) {
    this.#headers = { authorization: `Bearer ${token}`, [CALL_HEADERS.xsrf]: xsrf };
    this.#stepUrl = stepUrl;
  }

  init<State extends object>(factor: string): Promise<Answer<State>> {
    // The page makes the first call automatically. If a failure of that call opened the page again, the page would repeat it forever.
    const isFirst = !this.#hasBegun;
    this.#hasBegun = true;
    return this.#post(FACTOR_PATHS.init(factor), undefined, isFirst ? [] : ['forbidden']);
  }

  verify(factor: string, answer: object): Promise<Answer<FactorToken>> {
    return this.#post(FACTOR_PATHS.verify(factor), answer, ['forbidden']);
  }

  /** @param reopenCodes error codes after which the page is opened again, in addition to `FULL_PAGE_ERRORS` */
  async #post<Body>(path: string, body: object | undefined, reopenCodes: readonly string[]): Promise<Answer<Body>> {
    const response = await sendCall({ method: 'POST', path, headers: this.#headers, body });
    const answer = await readAnswer<Body>(response);
    const mustReopen = answer.kind === 'failed' && [...FULL_PAGE_ERRORS, ...reopenCodes].includes(answer.code);
    return mustReopen ? leaveFor(this.#stepUrl) : answer;
  }
}
