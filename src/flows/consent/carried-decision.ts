/**
 * A decision about scopes whose request was overtaken by a newer one of the same client (LOG-14). It is kept, and the
 * request starts again from its own address and passes unasked, if the session in which it was made continues.
 */
import { Injectable } from '@nestjs/common';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { CarriedProofs } from '../../accounts/sessions/carried-proofs.js';
import { randomToken } from '../../config/keys.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { redirect, type RedirectOutcome } from '../../gateway/page/outcome.js';
import type { ConsentRequest } from '../../hydra/hydra.port.js';
import type { CarriedLoginContent } from '../sign-in/carried-proof.js';
import { FlowPages } from '../sign-in/flow-pages.js';
import { isOutdated } from '../sign-in/opened-requests.js';

/** What a person decided on the page. */
export interface Decision {
  scopes: readonly string[];
  /** Those of them that the page showed as granted before. */
  granted: readonly string[];
}

/** The version before wrote no `granted`. */
type CarriedContent = Omit<Decision, 'granted'> & Partial<Decision> & { client: string };

@Injectable()
export class CarriedDecision {
  constructor(
    private readonly carried: CarriedProofs,
    private readonly sessions: BrowserSessions,
    private readonly pages: FlowPages,
  ) {}

  /** @returns null if the OAuth server can still finish this request */
  async restart(
    request: ConsentRequest,
    { scopes, granted }: Decision,
    context: RequestContext,
  ): Promise<RedirectOutcome | null> {
    if (!isOutdated('consent', request, context)) return null;
    const authorizationRequest = this.pages.authorizationRequest(request);
    // Nothing is decided for a device that may be another one when the code is entered again.
    if (authorizationRequest?.isDevice) return redirect(authorizationRequest.href);
    const session = await this.sessions.findByUpstreamSession(request.loginSessionId, request.subject);
    if (!authorizationRequest?.canStartAgain() || !session) return null;
    const { href: original } = authorizationRequest;
    const requestUrl = authorizationRequest.withLoginDone();
    const to = { requestUrl, secret: randomToken(), browser: context.browser };
    const login: CarriedLoginContent = {
      client: request.client.id,
      by: 'session',
      authTime: session.authTime.getTime(),
      ...(requestUrl === original ? {} : { original }),
    };
    const decision: CarriedContent = { client: request.client.id, scopes, granted };
    const proof = { accountId: session.accountId, amr: [] };
    await this.carried.keep({ ...to, step: 'login' }, { ...proof, content: JSON.stringify(login) });
    await this.carried.keep({ ...to, step: 'consent' }, { ...proof, content: JSON.stringify(decision) });
    return redirect(requestUrl, { carried: to.secret });
  }

  /** @returns what the person decided in the older tab, once; null if nothing was */
  async take(request: ConsentRequest, { carried: secret, browser }: RequestContext): Promise<Decision | null> {
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (secret === null || !authorizationRequest) return null;
    const proof = await this.carried.take({ step: 'consent', requestUrl: authorizationRequest.href, secret, browser });
    if (proof?.accountId !== request.subject) return null;
    const { client, scopes, granted = [] } = JSON.parse(proof.content) as CarriedContent;
    if (client !== request.client.id) return null;
    return { scopes: request.requestedScope.filter((scope) => scopes.includes(scope)), granted };
  }
}
