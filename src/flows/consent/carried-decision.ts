/**
 * Stores a consent decision whose request was overtaken by a newer request of the same client (LOG-14). The overtaken request
 * starts again from its own address and gets the stored decision without a page, if the session of the decision continues.
 */
import { Injectable } from '@nestjs/common';
import { OneTimeSecrets } from '../../accounts/secrets/one-time-secrets.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { randomToken } from '../../config/keys.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { redirect, type RedirectOutcome } from '../../gateway/page/outcome.js';
import type { ConsentRequest } from '../../hydra/hydra.port.js';
import { CarryOn } from '../sign-in/carry-on.js';
import { FlowPages } from '../sign-in/flow-pages.js';
import { isOvertaken } from '../sign-in/opened-requests.js';

/** The decision of a person on the page. */
export interface Decision {
  scopes: readonly string[];
  /** The scopes that the page showed as granted before. */
  granted: readonly string[];
}

const LIFETIME_SECONDS = 60;

type CarriedContent = Decision & { client: string };

@Injectable()
export class CarriedDecision {
  constructor(
    private readonly carryOn: CarryOn,
    private readonly secrets: OneTimeSecrets,
    private readonly sessions: BrowserSessions,
    private readonly pages: FlowPages,
  ) {}

  /**
   * Stores the decision and starts the request again; a request of a device starts again without the decision.
   * @returns null if Hydra can still finish this request, or if the request cannot start again or its session has ended
   */
  async restart(
    request: ConsentRequest,
    { scopes, granted }: Decision,
    context: RequestContext,
  ): Promise<RedirectOutcome | null> {
    if (!isOvertaken('consent', request, context)) return null;
    const authorizationRequest = this.pages.authorizationRequest(request);
    // No decision is stored for a device, because the next code that is entered may belong to another device.
    if (authorizationRequest?.isDevice) return redirect(authorizationRequest.href);
    const session = await this.sessions.findByUpstreamSession(request.loginSessionId, request.subject);
    if (!authorizationRequest?.canStartAgain() || !session) return null;
    const { href: original } = authorizationRequest;
    const requestUrl = authorizationRequest.withLoginDone();
    const secret = randomToken();
    const { accountId } = session;
    const client = request.client.id;
    const confirmation = { authTime: session.authTime.getTime(), ...(requestUrl === original ? {} : { original }) };
    await this.carryOn.carrySessionTo({ requestUrl, secret, browser: context.browser }, { accountId, client, ...confirmation });
    await this.secrets.issue({
      purpose: 'carried-decision',
      secret,
      accountId,
      boundTo: requestUrl,
      payload: JSON.stringify({ client, scopes, granted } satisfies CarriedContent),
      lifetimeSeconds: LIFETIME_SECONDS,
    });
    return redirect(requestUrl, { carried: secret });
  }

  /** Works once. @returns the decision of the person in the older tab, or null */
  async consume(request: ConsentRequest, { carriedSecret: secret }: RequestContext): Promise<Decision | null> {
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (secret === null || !authorizationRequest) return null;
    const entry = await this.secrets.consume('carried-decision', secret, authorizationRequest.href);
    if (!entry?.payload || entry.accountId !== request.subject) return null;
    const { client, scopes, granted } = JSON.parse(entry.payload) as CarriedContent;
    if (client !== request.client.id) return null;
    return { scopes: request.requestedScope.filter((scope) => scopes.includes(scope)), granted };
  }
}
