/** Writes down an answer that Hydra has accepted: the audit event, what it changes of the grants, and the record. */
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { ChallengeRecords } from '../../accounts/sessions/challenge-records.js';
import { ConsentGrants } from '../../accounts/sessions/consent-grants.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { redirect, type RedirectOutcome } from '../../gateway/page/outcome.js';
import type { ConsentRequest } from '../../hydra/hydra.port.js';
import { finishOnce, readAnswer, writeAnswer } from '../sign-in/answers.js';
import type { ConsentAnswer } from './consent-answers.js';
import { consentOwner } from './consent-session.js';

/** A grant that the answer uses has ended since it was read, so the answer does not count. */
export const OVERTAKEN = Symbol('overtaken');

@Injectable()
export class FinishedConsents {
  constructor(
    private readonly records: ChallengeRecords,
    private readonly grants: ConsentGrants,
    private readonly audit: AuditLog,
  ) {}

  /** Ends a request without a form. Nothing is repeated, so there is no record. */
  async end({ url, cookies, event, change }: ConsentAnswer): Promise<RedirectOutcome | typeof OVERTAKEN> {
    if (event && change && !(await this.grants.record(change, event))) return OVERTAKEN;
    if (event && !change) await this.audit.record(event);
    return redirect(url, cookies);
  }

  /** Ends a form. @returns the first answer to the request; null if that was another form's */
  async endForm(
    { url, cookies, event, change }: ConsentAnswer,
    request: ConsentRequest,
    context: RequestContext,
  ): Promise<RedirectOutcome | null | typeof OVERTAKEN> {
    const owner = consentOwner(request, context);
    const outcome = redirect(url, cookies);
    if (!event || !change) return finishOnce({ records: this.records, owner, event }, outcome, context);
    const result = await this.grants.finish(change, event, { owner, result: writeAnswer(outcome, context) });
    return result === null ? OVERTAKEN : readAnswer(result, context);
  }
}
