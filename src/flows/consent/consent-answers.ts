/** Accepts or rejects a consent request at the OAuth server and records in the audit log which client got which scopes. */
import { Injectable } from '@nestjs/common';
import { isAccountId } from '../../accounts/account/account.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { personOf } from '../../gateway/http/request-context.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { CookieChange } from '../../gateway/page/outcome.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import type { ConsentRequest, Grant, Rejection } from '../../hydra/hydra.port.js';
import { CarriedDecision } from './carried-decision.js';

/** An answer that the OAuth server has accepted. `note` records it in the audit log, once it is the final one. */
export interface ConsentAnswer {
  url: string;
  cookies?: CookieChange;
  note(context: RequestContext): Promise<void>;
}

@Injectable()
export class ConsentAnswers {
  constructor(
    private readonly hydra: HydraPort,
    private readonly audit: AuditLog,
    private readonly carried: CarriedDecision,
  ) {}

  get(challenge: string): Promise<ConsentRequest> {
    return this.hydra.getConsent(challenge);
  }

  /** What a person decided on the screen: here, or in the same request when it has started again. */
  async grantDecided(request: ConsentRequest, grant: Grant, context: RequestContext): Promise<ConsentAnswer> {
    const restart = await this.carried.restart(request, grant.scopes, context);
    return restart ? { ...restart, note: () => Promise.resolve() } : this.grant(request, grant, true);
  }

  /** @returns the scopes that were decided before this request started again, once; null if nothing was */
  decidedBefore(request: ConsentRequest, context: RequestContext): Promise<string[] | null> {
    return this.carried.take(request, context);
  }

  /** @param asked false if no screen was shown: the client is trusted, or the grant is remembered */
  async grant(request: ConsentRequest, grant: Grant, asked: boolean): Promise<ConsentAnswer> {
    const url = await this.hydra.acceptConsent(request.challenge, grant);
    const detail = { client: request.client.id, scopes: [...grant.scopes], asked };
    return { url, note: (context) => this.#record('consent.granted', { request, context, detail }) };
  }

  async reject(request: ConsentRequest, rejection: Rejection): Promise<ConsentAnswer> {
    const url = await this.hydra.rejectConsent(request.challenge, rejection);
    const detail = { client: request.client.id, error: rejection.code };
    return { url, note: (context) => this.#record('consent.refused', { request, context, detail }) };
  }

  async #record(
    kind: 'consent.granted' | 'consent.refused',
    {
      request,
      context,
      detail,
    }: { request: ConsentRequest; context: RequestContext; detail: Record<string, string | boolean | string[]> },
  ): Promise<void> {
    const account = isAccountId(request.subject) ? { accountId: request.subject } : {};
    await this.audit.record({ kind, ...personOf(context), ...account, detail });
  }
}
