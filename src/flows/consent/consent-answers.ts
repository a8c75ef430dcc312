/** Accepts or rejects a consent request at Hydra, and builds the audit event and the changed grants (`FinishedConsents` stores them). */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { isAccountId } from '../../accounts/account/account.js';
import { ClaimsTooLarge, buildClaims, type TokenClaims } from '../../accounts/attributes/claims.js';
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
import { chooseRefusalUrl } from '../sign-in/status-url.js';
import { CarriedDecision, type Decision } from './carried-decision.js';
import { findChanges } from './prior-grants.js';

/** The answer to a consent request: Hydra has accepted the answer, or the request starts again. */
export interface ConsentAnswer {
  url: string;
  cookies?: CookieChange;
  /** Event for the audit log; null if the request starts again, so that this answer is not the final one. */
  event: AuditEvent | null;
  /** How the grants of the person change; null unless the answer is a grant. */
  change: GrantChange | null;
}

/** The rejection if the person grants nothing. */
export const DENIAL = { code: 'access_denied', description: 'The person denied access.' } as const satisfies Rejection;

/** A decision about a device changes no grant, but is valid only if the access of the account and of the client has not ended meanwhile. */
const NO_CHANGES = { addedScopes: [], usedScopes: [], refusedScopes: [] };

export interface Consent {
  consenter: Consenter;
  scopes: readonly string[];
  /** False if no page was shown, because the client is trusted or all scopes were granted before. */
  wasAsked: boolean;
}

@Injectable()
export class ConsentAnswers {
  constructor(
    private readonly hydra: HydraPort,
    private readonly carriedDecision: CarriedDecision,
    private readonly pages: FlowPages,
    @Inject(CONFIG) private readonly config: Pick<Config, 'consent'>,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  getRequest(challenge: string): Promise<ConsentRequest> {
    return this.hydra.getConsent(challenge);
  }

  /** Grants the scopes that the person selected on the page, or starts the request again (`CarriedDecision.restart`). */
  async grantDecision(
    request: ConsentRequest,
    consent: Omit<Consent, 'wasAsked'> & Pick<Decision, 'granted'>,
    context: RequestContext,
  ): Promise<ConsentAnswer> {
    const restart = await this.carriedDecision.restart(request, consent, context);
    return restart ? { ...restart, event: null, change: null } : this.grant(request, { ...consent, wasAsked: true }, context);
  }

  /** Works once. @returns the decision from before this request started again, or null */
  consumeDecision(request: ConsentRequest, context: RequestContext): Promise<Decision | null> {
    return this.carriedDecision.consume(request, context);
  }

  async grant(request: ConsentRequest, consent: Consent, context: RequestContext): Promise<ConsentAnswer> {
    const { scopes, wasAsked } = consent;
    const claims = this.#buildClaims(request, consent, context);
    if (claims === null) {
      const description = 'The claims of this person are too large for a token.';
      return this.reject(request, { code: 'server_error', description }, context);
    }
    const url = await this.hydra.acceptConsent(request.challenge, this.#buildGrant(request, scopes, claims));
    const detail = { client: request.client.id, scopes: [...scopes], asked: wasAsked, ...toDeviceDetail(request) };
    const event = { kind: 'consent.granted', ...toEvent(request, context), detail } as const;
    const cookies = isDeviceRequest(request.requestUrl) ? { resume: this.pages.deviceEndTicket(request.client.id) } : {};
    return { url, cookies, event, change: this.#buildChange(request, consent) };
  }

  /** Only a decision on the page adds to the grants, and a decision about a device changes no grant. */
  #buildChange(request: ConsentRequest, { consenter, scopes, wasAsked }: Consent): GrantChange {
    const changes = isDeviceRequest(request.requestUrl) ? NO_CHANGES : findChanges(scopes, request, consenter);
    return {
      accountId: consenter.account.id,
      clientId: request.client.id,
      clientCreatedAt: request.client.createdAt ?? null,
      securityStamp: consenter.securityStamp,
      lastRemoval: consenter.lastRemoval,
      ...changes,
      addedScopes: wasAsked ? changes.addedScopes : [],
      lifetimeSeconds: this.config.consent.rememberForSeconds,
    };
  }

  /** Takes the claims from the current account, also for a remembered grant. @returns null if they are too large, which is logged */
  #buildClaims(
    { client }: ConsentRequest,
    { consenter: { account }, scopes }: Consent,
    { requestId }: RequestContext,
  ): TokenClaims | null {
    try {
      return buildClaims(account, scopes, this.config.consent.claims);
    } catch (error) {
      if (!(error instanceof ClaimsTooLarge)) throw error;
      this.log.error({ requestId, client: client.id, accountId: account.id, bytes: error.bytes }, error.message);
      return null;
    }
  }

  #buildGrant(
    { requestedAudience, requestUrl }: ConsentRequest,
    scopes: readonly string[],
    { idToken, accessToken }: TokenClaims,
  ): Grant {
    // A grant for one device must not apply to the next.
    const rememberForSeconds = isDeviceRequest(requestUrl) ? 0 : this.config.consent.rememberForSeconds;
    return {
      scopes,
      audience: requestedAudience,
      idTokenClaims: idToken,
      accessTokenClaims: accessToken,
      // Hydra treats 0 as "forever", so the grant for a device is not remembered at all.
      remember: rememberForSeconds > 0,
      rememberForSeconds,
    };
  }

  async reject(request: ConsentRequest, rejection: Rejection, context: RequestContext): Promise<ConsentAnswer> {
    const upstream = await this.hydra.rejectConsent(request.challenge, rejection);
    const url = chooseRefusalUrl(request.requestUrl, upstream, rejection === DENIAL ? 'denied' : 'failed');
    const detail = { client: request.client.id, error: rejection.code, ...toDeviceDetail(request) };
    return { url, event: { kind: 'consent.refused', ...toEvent(request, context), detail }, change: null };
  }
}

function toDeviceDetail({ requestUrl }: ConsentRequest): { device?: true } {
  return isDeviceRequest(requestUrl) ? { device: true } : {};
}

function toEvent({ subject }: ConsentRequest, context: RequestContext): Omit<AuditEvent, 'kind'> {
  return { ...toPerson(context), ...(isAccountId(subject) ? { accountId: subject } : {}) };
}
