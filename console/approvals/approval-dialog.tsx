/** The dialog in which an operator approves, rejects or withdraws an operation. */
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api, toReasonHeader, unwrap, type Approval } from '../api/calls.js';
import { accountKey, APPROVALS_KEY } from '../api/queries.js';
import type { PhraseKey } from '../i18n/i18n.js';
import { useNotices } from '../ui/notice.js';
import { ReasonDialog } from '../ui/reason-dialog.js';
import { isSecret, type Secret } from '../ui/secret-dialog.js';
import { findCommand, type Decision } from './approval-words.js';

interface ApprovalDialogProps {
  approval: Approval;
  decision: Decision;
  /** What will happen if the operation is approved. */
  effects: readonly ReactNode[];
  onClose(): void;
  /** Called with the link that the operation has created, which is shown once. */
  onSecret(secret: Secret): void;
}

export function ApprovalDialog({ approval, decision, effects, onClose, onSecret }: ApprovalDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const notices = useNotices();
  const run = async (reason: string): Promise<void> => {
    const { notice, secret } = await decide(approval, decision, reason);
    if (secret) onSecret(secret);
    else notices.show(t(notice));
    void client.invalidateQueries({ queryKey: APPROVALS_KEY });
    if (approval.account_id !== null) void client.invalidateQueries({ queryKey: accountKey(approval.account_id) });
    onClose();
  };
  // The first of two approvals does nothing yet.
  const isLastApproval = decision === 'approve' && approval.missing === 1;
  return (
    <ReasonDialog
      title={t(`approvals.${decision}_title`)}
      effects={isLastApproval ? effects : [t(`approvals.${decision}_effect`)]}
      command={findCommand(approval, decision)}
      confirm={t(`approvals.${decision}`)}
      isAskedFor={false}
      run={run}
      onClose={onClose}
    />
  );
}

async function decide(
  { id: approval, operation }: Approval,
  decision: Decision,
  reason: string,
): Promise<{ notice: PhraseKey; secret?: Secret }> {
  const call = { params: { path: { approval } }, headers: toReasonHeader(reason) };
  if (decision === 'reject') {
    await unwrap(api.POST('/operator/v1/approvals/{approval}/reject', call));
    return { notice: 'approvals.reject_done' };
  }
  if (decision === 'withdraw') {
    await unwrap(api.DELETE('/operator/v1/approvals/{approval}', call));
    return { notice: 'approvals.withdraw_done' };
  }
  const answer = await unwrap(api.POST('/operator/v1/approvals/{approval}/approve', call));
  if (answer.approval.state === 'open') return { notice: 'approvals.support_done' };
  if (operation === 'transfer.export') return { notice: 'approvals.approve_export_done' };
  return { notice: 'approvals.approve_done', ...(isSecret(answer.result) ? { secret: answer.result } : {}) };
}
