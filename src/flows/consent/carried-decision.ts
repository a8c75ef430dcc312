/**
 * A decision about scopes whose request was overtaken by a newer one of the same client (LOG-14). It is kept, and the
 * request starts again from its own address and passes unasked, if the session in which it was made continues.
 */
import { Injectable } from '@nestjs/common';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { CarriedProofs } from '../../accounts/sessions/carried-proofs.js';
import { randomToken } from '../../config/keys.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { RedirectOutcome } from '../../gateway/page/outcome.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { ConsentRequest } from '../../hydra/hydra.port.js';
import type { CarriedLoginContent } from '../sign-in/carried-proof.js';
import { FlowPages } from '../sign-in/flow-pages.js';
import { isOutdated } from '../sign-in/opened-requests.js';

interface Decision {
  client: string;
  scopes: readonly string[];
}

@Injectable()
export class CarriedDecision {
  constructor(
    private readonly carried: CarriedProofs,
    private readonly sessions: BrowserSessions,
    private readonly pages: FlowPages,
  ) {}

  /** @returns null if the OAuth server can still finish this request */
  async restart(request: ConsentRequest, scopes: readonly string[], context: RequestContext): Promise<RedirectOutcome | null> {
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
    const decision: Decision = { client: request.client.id, scopes };
    const proof = { accountId: session.accountId, amr: [] };
    await this.carried.keep({ ...to, step: 'login' }, { ...proof, content: JSON.stringify(login) });
    await this.carried.keep({ ...to, step: 'consent' }, { ...proof, content: JSON.stringify(decision) });
    return redirect(requestUrl, { carried: to.secret });
  }

  /** @returns the scopes that the person granted in the older tab, once; null if nothing was decided */
  async take(request: ConsentRequest, { carried: secret, browser }: RequestContext): Promise<string[] | null> {
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (secret === null || !authorizationRequest) return null;
    const proof = await this.carried.take({ step: 'consent', requestUrl: authorizationRequest.href, secret, browser });
    if (proof?.accountId !== request.subject) return null;
    const { client, scopes } = JSON.parse(proof.content) as Decision;
    return client === request.client.id ? request.requestedScope.filter((scope) => scopes.includes(scope)) : null;
  }
}
