/** Accepts or rejects a consent request at Hydra and records in the audit log which client got which scopes. */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { isAccountId } from '../../accounts/account/account.js';
import { ClaimsTooLarge, claimsFor, type TokenClaims } from '../../accounts/attributes/claims.js';
import type { AuditEvent } from '../../accounts/audit/audit-log.js';
import type { GrantChange } from '../../accounts/sessions/consent-grants.js';
import type { Consenter } from '../../accounts/sessions/consent-records.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { LOG } from '../../config/log.token.js';
import { toPerson, type RequestContext } from '../../gateway/http/request-context.js';
import type { CookieChange } from '../../gateway/page/outcome.js';
import { isDeviceRequest } from '../../hydra/authorization-request.js';
import { HydraPort, type ConsentRequest, type Grant, type Rejection } from '../../hydra/hydra.port.js';
import { FlowPages } from '../sign-in/flow-pages.js';
import { refusedUrl } from '../sign-in/status-url.js';
import { CarriedDecision, type Decision } from './carried-decision.js';
import { changesBy } from './prior-grants.js';

/** An answer that Hydra has accepted. */
export interface ConsentAnswer {
  url: string;
  cookies?: CookieChange;
  /** For the audit log, once the answer is the final one; null if the request starts again. */
  event: AuditEvent | null;
  /** Changes what the person has granted; null unless the answer is a grant. */
  change: GrantChange | null;
}

/** By the person. */
export const DENIED = { code: 'access_denied', description: 'The person refused.' } as const satisfies Rejection;

/** The answer still counts only if the access of the account has not ended meanwhile. */
const NO_CHANGES = { added: [], used: [], refused: [] };

export interface Given {
  consenter: Consenter;
  scopes: readonly string[];
  /** False if no screen was shown: the client is trusted, or all of it was granted before. */
  asked: boolean;
}

@Injectable()
export class ConsentAnswers {
  constructor(
    private readonly hydra: HydraPort,
    private readonly carried: CarriedDecision,
    private readonly pages: FlowPages,
    @Inject(CONFIG) private readonly config: Pick<Config, 'consent'>,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  get(challenge: string): Promise<ConsentRequest> {
    return this.hydra.getConsent(challenge);
  }

  /** What a person decided on the screen: here, or in the same request when it has started again. */
  async grantDecided(
    request: ConsentRequest,
    given: Omit<Given, 'asked'> & Pick<Decision, 'granted'>,
    context: RequestContext,
  ): Promise<ConsentAnswer> {
    const restart = await this.carried.restart(request, given, context);
    return restart ? { ...restart, event: null, change: null } : this.grant(request, { ...given, asked: true }, context);
  }

  /** @returns what was decided before this request started again, once; null if nothing was */
  decidedBefore(request: ConsentRequest, context: RequestContext): Promise<Decision | null> {
    return this.carried.take(request, context);
  }

  async grant(request: ConsentRequest, given: Given, context: RequestContext): Promise<ConsentAnswer> {
    const { scopes, asked } = given;
    const claims = this.#claims(request, given, context);
    if (claims === null) {
      const description = 'The claims of this person are too large for a token.';
      return this.reject(request, { code: 'server_error', description }, context);
    }
    const url = await this.hydra.acceptConsent(request.challenge, this.#grant(request, scopes, claims));
    const detail = { client: request.client.id, scopes: [...scopes], asked, ...ofDevice(request) };
    const event = { kind: 'consent.granted', ...toEvent(request, context), detail } as const;
    const cookies = isDeviceRequest(request.requestUrl) ? { resume: this.pages.deviceEndTicket(request.client.id) } : {};
    return { url, cookies, event, change: this.#change(request, given) };
  }

  /** Only a decision on the page adds to the grants. One about a device leaves them as they are. */
  #change(request: ConsentRequest, { consenter, scopes, asked }: Given): GrantChange {
    const changes = isDeviceRequest(request.requestUrl) ? NO_CHANGES : changesBy(scopes, request, consenter);
    return {
      accountId: consenter.account.id,
      clientId: request.client.id,
      clientCreatedAt: request.client.createdAt ?? null,
      securityStamp: consenter.securityStamp,
      removed: consenter.removed,
      ...changes,
      added: asked ? changes.added : [],
      lifetimeSeconds: this.config.consent.rememberForSeconds,
    };
  }

  /** What is known of the person now, also for a remembered grant. @returns null, and a line in the log, if it is too much */
  #claims(
    { client }: ConsentRequest,
    { consenter: { account }, scopes }: Given,
    { requestId }: RequestContext,
  ): TokenClaims | null {
    try {
      return claimsFor(account, scopes, this.config.consent.claims);
    } catch (error) {
      if (!(error instanceof ClaimsTooLarge)) throw error;
      this.log.error({ requestId, client: client.id, accountId: account.id, bytes: error.bytes }, error.message);
      return null;
    }
  }

  #grant(
    { requestedAudience, requestUrl }: ConsentRequest,
    scopes: readonly string[],
    { idToken, accessToken }: TokenClaims,
  ): Grant {
    // One device says nothing about the next.
    const rememberForSeconds = isDeviceRequest(requestUrl) ? 0 : this.config.consent.rememberForSeconds;
    return {
      scopes,
      audience: requestedAudience,
      idTokenClaims: idToken,
      accessTokenClaims: accessToken,
      // Hydra treats 0 as "for ever"; here it means that consent is asked each time.
      remember: rememberForSeconds > 0,
      rememberForSeconds,
    };
  }

  async reject(request: ConsentRequest, rejection: Rejection, context: RequestContext): Promise<ConsentAnswer> {
    const upstream = await this.hydra.rejectConsent(request.challenge, rejection);
    const url = refusedUrl(request.requestUrl, upstream, rejection === DENIED ? 'denied' : 'failed');
    const detail = { client: request.client.id, error: rejection.code, ...ofDevice(request) };
    return { url, event: { kind: 'consent.refused', ...toEvent(request, context), detail }, change: null };
  }
}

function ofDevice({ requestUrl }: ConsentRequest): { device?: true } {
  return isDeviceRequest(requestUrl) ? { device: true } : {};
}

function toEvent({ subject }: ConsentRequest, context: RequestContext): Omit<AuditEvent, 'kind'> {
  return { ...toPerson(context), ...(isAccountId(subject) ? { accountId: subject } : {}) };
}
