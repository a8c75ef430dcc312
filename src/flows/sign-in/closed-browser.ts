/**
 * Handles a login request for which Hydra remembers a session (`skip`), in a browser without Foyer's cookie of that session: either the
 * browser has been closed since, or another browser opened a copied address. The request starts again with a check in its address, which
 * only a browser with Hydra's cookie of the session brings back (see `session-binding.ts`). Then the session ends, its apps are notified,
 * and the request starts once more.
 */
import { Injectable } from '@nestjs/common';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { AuthorizationRequest } from '../../hydra/authorization-request.js';
import { HydraPort, type LoginRequest } from '../../hydra/hydra.port.js';
import { LoginScreens } from './login-screens.js';
import { SessionBinding } from './session-binding.js';

@Injectable()
export class ClosedBrowser {
  constructor(
    private readonly hydra: HydraPort,
    private readonly sessions: BrowserSessions,
    private readonly binding: SessionBinding,
    private readonly screens: LoginScreens,
  ) {}

  async restart(request: LoginRequest, authorizationRequest: AuthorizationRequest, context: RequestContext): Promise<Outcome> {
    const { sessionId } = request;
    const { browserCheck } = authorizationRequest;
    if (sessionId === '') return redirect(authorizationRequest.withLoginPrompt());
    if (browserCheck === undefined)
      return redirect(authorizationRequest.withBrowserCheck(this.binding.toCheck(request, context)));
    // Without this page, a browser that refuses cookies would be redirected forever.
    if (!this.binding.isChecked(request, browserCheck, context))
      return this.screens.buildUnusableRequestPage('foreign', request, context);
    return this.endSession(request, authorizationRequest);
  }

  /**
   * Ends a session of this browser. A device request cannot require a sign-in in any other way, because Hydra ignores `prompt` in its
   * address.
   */
  async endSession({ sessionId }: LoginRequest, authorizationRequest: AuthorizationRequest): Promise<Outcome> {
    await this.hydra.endLoginSession(sessionId);
    await this.sessions.endForUpstreamSession(sessionId);
    return redirect(authorizationRequest.href);
  }
}
