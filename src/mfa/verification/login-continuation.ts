/**
 * The way back from the second step into the sign-in. Declared here and bound in `app.module.ts`: this folder knows no
 * flow and no upstream.
 */
import type { ChallengeFault } from '../../contract/page-state.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';

export abstract class LoginContinuation {
  /**
   * Looks at everything anew and accepts the login when all that is wanted is proven. Also answers a double click of the
   * form that finished it.
   * @returns a fault for a challenge that leads nowhere, `unproven` while a factor is missing
   */
  abstract continueLogin(challenge: string, context: RequestContext): Promise<Outcome | ChallengeFault | 'unproven'>;

  /** For a page without a living attempt: what became of the challenge. Writes nothing. */
  abstract faultOf(challenge: string, context: RequestContext): Promise<ChallengeFault>;
}
