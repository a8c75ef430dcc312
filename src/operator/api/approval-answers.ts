/** Converts approvals, and the reasons why they cannot be decided, to answers. */
import type { ApprovalRefusal } from '../../accounts/operators/approval-refused.js';
import type { Approval } from '../../accounts/operators/operator-approvals.js';
import type { ApprovalAnswer } from '../wire-approvals.js';
import { OperatorFault } from './operator-fault.js';

/** @param needsSupport whether the approval, if it is open, still needs two operators */
export function toApprovalAnswer(approval: Approval, needsSupport: boolean): ApprovalAnswer {
  const state = approval.decision ?? (approval.is_expired ? 'expired' : 'open');
  return {
    id: approval.id,
    operation: approval.operation,
    account_id: approval.account_id,
    username: approval.username,
    display_name: approval.display_name,
    email: approval.email,
    body: approval.body,
    reason: approval.reason,
    asked_by: approval.asked_by,
    asked_by_account: approval.asked_account,
    asked_at: approval.asked_at.toISOString(),
    expires_at: approval.expires_at.toISOString(),
    state,
    missing: state === 'open' ? (needsSupport ? 2 : 1) : 0,
    supported_by: approval.supported_by,
    supported_by_account: approval.supported_account,
    decided_by: approval.decided_by,
    decided_at: approval.decided_at?.toISOString() ?? null,
    decision_reason: approval.decision_reason,
    used_at: approval.used_at?.toISOString() ?? null,
    checked: approval.checked,
    not_before: approval.not_before?.toISOString() ?? null,
    announced: approval.announced,
    stopped_before: approval.stopped_before?.toISOString() ?? null,
  };
}

type RefusalFault = readonly [status: number, code: string, message: string];

const REFUSALS: Readonly<Record<ApprovalRefusal, RefusalFault>> = {
  'not-found': [404, 'approval_not_found', 'There is no such approval: it may have been deleted.'],
  decided: [409, 'approval_decided', 'This request has already been decided.'],
  expired: [409, 'approval_expired', 'This request has waited too long and has expired: make it again.'],
  used: [409, 'approval_decided', 'The approved export has already begun.'],
  own: [
    403,
    'own_approval',
    'You cannot decide about your own request or approve a request twice: another operator has to. You can withdraw your own request.',
  ],
  'not-own': [403, 'not_own_approval', 'You can withdraw only your own requests: reject this one instead.'],
  token: [
    403,
    'approver_unknown',
    'A token does not show who uses it, so an operator has to approve this in the console (OPERATOR_APPROVAL).',
  ],
  concerned: [403, 'own_account', 'You cannot approve a change of your own account: ask another operator.'],
  'too-early': [
    409,
    'approval_too_early',
    'Nobody has checked who is calling, so the person has 24 hours to stop this: approve it after the time in not_before.',
  ],
  'asker-without-right': [
    409,
    'asker_without_right',
    'The operator or token that made this request no longer has the right for it: reject it.',
  ],
  outdated: [
    409,
    'approval_outdated',
    'The account has changed since this request was made: reject it, and make it again if it is still needed.',
  ],
};

export function toApprovalFault(refusal: ApprovalRefusal): OperatorFault {
  return new OperatorFault(...REFUSALS[refusal]);
}
