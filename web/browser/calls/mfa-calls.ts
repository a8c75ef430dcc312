/** The RPC calls of the second step of a login (MFV-4). The token identifies the pending login and does not change. */
import { FACTOR_PATHS } from '../../../src/contract/factor-paths.js';
import { CALL_HEADERS } from '../../../src/contract/form-fields.js';
import type { MfaVerificationState } from '../../../src/contract/mfa-state.js';
import { NEVER_INLINE } from '../../../src/contract/rpc.js';
import { leaveFor } from '../address.js';
import { readAnswer, sendCall, type Answer } from './call.js';

interface Proven {
  /** The form sends it as `mfa_token`. */
  token: string;
}

export class MfaCalls {
  readonly #headers: Readonly<Record<string, string>>;
  readonly #again: string;
  #hasBegun = false;

  /**
   * @param again address of the step: it is opened again when the login has ended, and when another tab has signed in, which
   *   gave the browser a new id
   */
  constructor({ token, xsrf_token: xsrf }: Pick<MfaVerificationState, 'token' | 'xsrf_token'>, again: string) {
    this.#headers = { authorization: `Bearer ${token}`, [CALL_HEADERS.xsrf]: xsrf };
    this.#again = again;
  }

  /** @param factor name of its kind */
  init<State extends object>(factor: string): Promise<Answer<State>> {
    // A page begins by itself: opened again for that, it would be opened for ever.
    const isOwnAccord = !this.#hasBegun;
    this.#hasBegun = true;
    return this.#post(FACTOR_PATHS.init(factor), undefined, isOwnAccord ? [] : ['forbidden']);
  }

  verify(factor: string, answer: object): Promise<Answer<Proven>> {
    return this.#post(FACTOR_PATHS.verify(factor), answer, ['forbidden']);
  }

  /** @param outdated codes after which the page is opened again, beside those that no page shows */
  async #post<Body>(path: string, body: object | undefined, outdated: readonly string[]): Promise<Answer<Body>> {
    const response = await sendCall({ method: 'POST', path, headers: this.#headers, body });
    const answer = await readAnswer<Body>(response);
    const isOver = answer.kind === 'failed' && [...NEVER_INLINE, ...outdated].includes(answer.code);
    return isOver ? leaveFor(this.#again) : answer;
  }
}
