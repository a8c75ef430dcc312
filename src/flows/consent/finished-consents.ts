/** Stores an answer that Hydra has accepted: the audit event, the changed grants, and the record for repeated forms. */
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { ChallengeRecords } from '../../accounts/sessions/challenge-records.js';
import { ConsentGrants } from '../../accounts/sessions/consent-grants.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { redirect, type RedirectOutcome } from '../../gateway/page/outcome.js';
import type { ConsentRequest } from '../../hydra/hydra.port.js';
import { finishOnce, readAnswer, writeAnswer } from '../sign-in/answers.js';
import type { ConsentAnswer } from './consent-answers.js';
import { toConsentOwner } from './consent-session.js';

/** The result for an answer that is not valid: the access of the account or client, or a grant that the answer uses, has ended meanwhile. */
export const GRANT_ENDED = Symbol('GrantEnded');

@Injectable()
export class FinishedConsents {
  constructor(
    private readonly records: ChallengeRecords,
    private readonly grants: ConsentGrants,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Ends a request when it is opened, without a page or with a decision carried from an earlier page. Writes no record, because only the
   * answer to a form is repeated.
   */
  async end({ url, cookies, event, change }: ConsentAnswer): Promise<RedirectOutcome | typeof GRANT_ENDED> {
    if (event && change && !(await this.grants.record(change, event))) return GRANT_ENDED;
    if (event && !change) await this.audit.record(event);
    return redirect(url, cookies);
  }

  /** Ends a request with a form. @returns the first answer to the request; null if that answer belongs to another form */
  async endForm(
    { url, cookies, event, change }: ConsentAnswer,
    request: ConsentRequest,
    context: RequestContext,
  ): Promise<RedirectOutcome | null | typeof GRANT_ENDED> {
    const owner = toConsentOwner(request, context);
    const outcome = redirect(url, cookies);
    if (!event || !change) return finishOnce({ records: this.records, owner, event }, outcome, context);
    const result = await this.grants.finish(change, event, { owner, result: writeAnswer(outcome, context) });
    return result === null ? GRANT_ENDED : readAnswer(result, context);
  }
}
