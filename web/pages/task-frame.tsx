/** Parts of every page of a task: whose sign-in waits, the fields of its forms, and the button that postpones the task. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import type { TaskState } from '../../src/contract/task-state.js';
import { formatLongDate } from '../ui/account/dates.js';
import { AccountChip } from '../ui/account-chip.js';
import { Form, SubmitButton } from '../ui/form.js';

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
    [FIELDS.task]: shown.kind,
    ...(shown.trust_browser === '' ? {} : { [FIELDS.trustBrowser]: shown.trust_browser }),
  };
}

/** @param until ISO 8601: the day from which the task cannot be postponed */
export function Later({ until, action, hidden }: { until: string; action?: string; hidden: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const date = formatLongDate(until, t('language.dates'));
  return (
    <Form className="tight" action={action ?? PATHS.loginTask} hidden={{ ...hidden, [FIELDS.proceed]: 'later' }}>
      <SubmitButton className="quiet" label={t('task.later')} busyLabel={t('app.one_moment')} />
      <p className="small quiet-text">{t('task.later_from', { date })}</p>
    </Form>
  );
}
