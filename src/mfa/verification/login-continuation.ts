/**
 * Continues the sign-in after the second step. Declared here and bound in `app.module.ts`, so that this folder does not
 * depend on a flow or on Hydra.
 */
import type { ChallengeFault } from '../../contract/page-state.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';

export abstract class LoginContinuation {
  /**
   * Checks everything again and accepts the login if all requirements are met. Also answers a double click on the form
   * that finished it.
   * @param wishes `trustsBrowser`: no second factor is to be asked for in this browser for some time, where that is possible
   * @returns a fault for an invalid challenge; `unproven` if a factor is missing
   */
  abstract continueLogin(
    challenge: string,
    context: RequestContext,
    wishes?: { trustsBrowser?: boolean },
  ): Promise<Outcome | ChallengeFault | 'unproven'>;

  /** For a page without a pending sign-in: the state of the challenge. Writes nothing. */
  abstract faultOf(challenge: string, context: RequestContext): Promise<ChallengeFault>;
}
