/** Parts of every page of a task: whose sign-in waits, and the fields of its forms. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import { TASK_FIELDS, type TaskState } from '../../src/contract/task-state.js';
import { AccountChip } from '../ui/account-chip.js';

export function Owner({ task: { account, cancel_url: cancelUrl } }: { task: TaskState }) {
  const { t } = useTranslation();
  return (
    <AccountChip account={account} label="mfa.signing_in_as">
      {cancelUrl && <a href={cancelUrl}>{t('mfa.not_you')}</a>}
    </AccountChip>
  );
}

export function toHiddenFields(task: TaskState): Record<string, string> {
  return {
    [FIELDS.loginChallenge]: task.login_challenge,
    [FIELDS.xsrf]: task.xsrf_token,
    [FIELDS.ticket]: task.ticket,
    [TASK_FIELDS.task]: task.kind,
    ...(task.trust_browser === '' ? {} : { [FIELDS.trustBrowser]: task.trust_browser }),
  };
}
