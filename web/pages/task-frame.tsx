/** Parts of every page of a task: whose sign-in waits, and the fields of its forms. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import { TASK_FIELDS, type TaskState } from '../../src/contract/task-state.js';
import { AccountChip } from '../ui/account-chip.js';

export function Owner({ shown: { account, cancel_url: cancelUrl } }: { shown: TaskState }) {
  const { t } = useTranslation();
  return (
    <AccountChip account={account} label="mfa.signing_in_as">
      {cancelUrl && <a href={cancelUrl}>{t('mfa.not_you')}</a>}
    </AccountChip>
  );
}

export function toHiddenFields(shown: TaskState): Record<string, string> {
  return {
    [FIELDS.loginChallenge]: shown.login_challenge,
    [FIELDS.xsrf]: shown.xsrf_token,
    [FIELDS.ticket]: shown.ticket,
    [TASK_FIELDS.task]: shown.kind,
    ...(shown.trust_browser === '' ? {} : { [FIELDS.trustBrowser]: shown.trust_browser }),
  };
}
