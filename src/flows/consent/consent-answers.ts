/** Accepts or rejects a consent request at the OAuth server and records in the audit log which client got which scopes. */
import { Injectable } from '@nestjs/common';
import { isAccountId } from '../../accounts/account/account.js';
import type { AuditEvent } from '../../accounts/audit/audit-log.js';
import { personOf } from '../../gateway/http/request-context.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { CookieChange } from '../../gateway/page/outcome.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import type { ConsentRequest, Grant, Rejection } from '../../hydra/hydra.port.js';
import { CarriedDecision } from './carried-decision.js';

/** An answer that the OAuth server has accepted. */
export interface ConsentAnswer {
  url: string;
  cookies?: CookieChange;
  /** For the audit log, once the answer is the final one; null if the request starts again. */
  event: AuditEvent | null;
}

@Injectable()
export class ConsentAnswers {
  constructor(
    private readonly hydra: HydraPort,
    private readonly carried: CarriedDecision,
  ) {}

  get(challenge: string): Promise<ConsentRequest> {
    return this.hydra.getConsent(challenge);
  }

  /** What a person decided on the screen: here, or in the same request when it has started again. */
  async grantDecided(request: ConsentRequest, grant: Grant, context: RequestContext): Promise<ConsentAnswer> {
    const restart = await this.carried.restart(request, grant.scopes, context);
    return restart ? { ...restart, event: null } : this.grant(request, { grant, asked: true }, context);
  }

  /** @returns the scopes that were decided before this request started again, once; null if nothing was */
  decidedBefore(request: ConsentRequest, context: RequestContext): Promise<string[] | null> {
    return this.carried.take(request, context);
  }

  /** @param given `asked`: false if no screen was shown: the client is trusted, or the grant is remembered */
  async grant(
    request: ConsentRequest,
    { grant, asked }: { grant: Grant; asked: boolean },
    context: RequestContext,
  ): Promise<ConsentAnswer> {
    const url = await this.hydra.acceptConsent(request.challenge, grant);
    const detail = { client: request.client.id, scopes: [...grant.scopes], asked };
    return { url, event: { kind: 'consent.granted', ...eventOf(request, context), detail } };
  }

  async reject(request: ConsentRequest, rejection: Rejection, context: RequestContext): Promise<ConsentAnswer> {
    const url = await this.hydra.rejectConsent(request.challenge, rejection);
    const detail = { client: request.client.id, error: rejection.code };
    return { url, event: { kind: 'consent.refused', ...eventOf(request, context), detail } };
  }
}

function eventOf({ subject }: ConsentRequest, context: RequestContext): Omit<AuditEvent, 'kind'> {
  return { ...personOf(context), ...(isAccountId(subject) ? { accountId: subject } : {}) };
}
