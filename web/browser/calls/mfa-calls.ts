/** The RPC calls of the second step of a login (MFV-4). The token identifies the pending login and does not change. */
import { FACTOR_PATHS } from '../../../src/contract/factor-paths.js';
import { CALL_HEADERS } from '../../../src/contract/form-fields.js';
import type { MfaVerificationState } from '../../../src/contract/mfa-state.js';
import { NEVER_INLINE } from '../../../src/contract/rpc.js';
import { leaveFor } from '../address.js';
import { readAnswer, sendCall } from './call.js';
import type { Answer } from './call.js';

interface Proven {
  /** The form sends it as `mfa_token`. */
  token: string;
}

export class MfaCalls {
  readonly #headers: Readonly<Record<string, string>>;
  readonly #again: string;

  /** @param again address of the step: it is opened again when the login has ended */
  constructor({ token, xsrf_token: xsrf }: Pick<MfaVerificationState, 'token' | 'xsrf_token'>, again: string) {
    this.#headers = { authorization: `Bearer ${token}`, [CALL_HEADERS.xsrf]: xsrf };
    this.#again = again;
  }

  /** @param factor name of its kind */
  init<State extends object>(factor: string): Promise<Answer<State>> {
    return this.#post(FACTOR_PATHS.init(factor));
  }

  verify(factor: string, answer: object): Promise<Answer<Proven>> {
    return this.#post(FACTOR_PATHS.verify(factor), answer);
  }

  async #post<Body>(path: string, body?: object): Promise<Answer<Body>> {
    const response = await sendCall({ method: 'POST', path, headers: this.#headers, body });
    const answer = await readAnswer<Body>(response);
    const isOver = answer.kind === 'failed' && NEVER_INLINE.includes(answer.code);
    return isOver ? leaveFor(this.#again) : answer;
  }
}
