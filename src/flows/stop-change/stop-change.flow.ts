/**
 * "Stop this": the owner of a mailbox stops a change of their account that somebody requested from the help desk. A GET changes nothing,
 * because mail scanners follow every link (S-39). The link does not sign the person in.
 */
import { Injectable } from '@nestjs/common';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import { ApprovalAnnouncement, toAnnouncedChange } from '../../accounts/operators/approval-announcement.js';
import { ApprovalRefused } from '../../accounts/operators/approval-refused.js';
import { OperatorApprovals, type Approval } from '../../accounts/operators/operator-approvals.js';
import { MANAGE_QUERY } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { AnnouncedChangeState, StopChangeState } from '../../contract/reset-state.js';
import { Fault } from '../../gateway/http/faults.js';
import { toPerson, type RequestContext } from '../../gateway/http/request-context.js';
import { page, redirect, type Outcome } from '../../gateway/page/outcome.js';
import { FlowPages } from '../sign-in/flow-pages.js';

type StopChangeStatus = Exclude<StopChangeState['status'], 'ask'>;

const STATUSES: readonly (string | undefined)[] = [
  'success',
  'used',
  'done',
  'ended',
  'error-token',
] satisfies StopChangeStatus[];

@Injectable()
export class StopChangeFlow {
  constructor(
    private readonly pages: FlowPages,
    private readonly announcement: ApprovalAnnouncement,
    private readonly approvals: OperatorApprovals,
    private readonly limits: RequestLimits,
  ) {}

  async show(token: string, context: RequestContext): Promise<Outcome> {
    const id = await this.announcement.findApprovalId(token);
    const approval = id === null ? null : await this.approvals.find(id);
    if (!approval) return redirectToStatus('error-token');
    const status = toStatus(approval);
    if (status !== null) return redirectToStatus(status);
    const not_before = (approval.not_before ?? approval.asked_at).toISOString();
    const question = { token, xsrf_token: this.pages.xsrfToken(context), change: toChangeState(approval), not_before };
    return page({ page: 'stop_change', stop_change: { status: 'ask', ...question } });
  }

  async submit(token: string, context: RequestContext): Promise<Outcome> {
    const id = await this.announcement.findApprovalId(token);
    if (id === null) return this.#countUnknown(context);
    try {
      await this.approvals.stop(id, toPerson(context));
    } catch (error) {
      if (!(error instanceof ApprovalRefused)) throw error;
      const approval = await this.approvals.find(id);
      return redirectToStatus((approval && toStatus(approval)) ?? 'error-token');
    }
    return redirectToStatus('success');
  }

  showStatus(parameter: string | undefined): Outcome {
    const status: StopChangeStatus = STATUSES.includes(parameter) ? (parameter as StopChangeStatus) : 'error';
    return page({ page: 'stop_change', stop_change: { status } });
  }

  async #countUnknown(context: RequestContext): Promise<Outcome> {
    const retryAfterSeconds = await this.limits.count('stop-change', context);
    if (retryAfterSeconds !== null)
      throw new Fault('limited', 'Too many forms with an invalid token were submitted', { retryAfterSeconds });
    return redirectToStatus('error-token');
  }
}

/** @returns null while the change can be stopped */
function toStatus({ decision, is_expired: isExpired }: Approval): StopChangeStatus | null {
  switch (decision) {
    case null:
      return isExpired ? 'ended' : null;
    case 'stopped':
      return 'used';
    case 'approved':
      return 'done';
    case 'rejected':
    case 'withdrawn':
    case 'expired':
      return 'ended';
  }
}

function toChangeState({ operation, body }: Approval): AnnouncedChangeState {
  const change = toAnnouncedChange({ operation, body });
  return { kind: change.kind, ...(change.kind === 'address' ? { email: change.email } : {}) };
}

function redirectToStatus(status: StopChangeStatus): Outcome {
  return redirect(`${PATHS.stopChangeStatus}?${MANAGE_QUERY.status}=${status}`);
}
