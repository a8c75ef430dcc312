/** What a person has to do between a proof and the app. The form is always posted, because RPC calls need a session. */
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { passwordChecks } from '../../src/contract/password-strength.js';
import { PATHS } from '../../src/contract/paths.js';
import {
  TASK_FIELDS,
  type DoneTaskState,
  type PasswordTaskState,
  type TaskState,
  type TermsTaskState,
} from '../../src/contract/task-state.js';
import { useTypedFields } from '../browser/typed-fields.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { AccountName } from '../ui/account-name.js';
import { NewPassword } from '../ui/account/new-password.js';
import { WeakReasons } from '../ui/account/weak-reasons.js';
import { AccountChip } from '../ui/account-chip.js';
import { ALERT_ID, ErrorAlert } from '../ui/alert.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { TermsFields } from './task-terms.js';

type TaskError = NonNullable<TaskState['error']>;

const NAMES = { password: FIELDS.password, repeat: FIELDS.passwordRepeat };

/** The message for each error, what to do next, and the field that the error is about. */
const WORDS: Record<TaskError, readonly [message: MessageKey, next: MessageKey, field?: keyof typeof NAMES]> = {
  'empty-password': ['fault.no_new_password', 'fault.no_new_password_next', 'password'],
  'empty-password-repeat': ['fault.no_repeat', 'fault.no_repeat_next', 'repeat'],
  'passwords-not-equal': ['fault.not_equal', 'fault.not_equal_next', 'repeat'],
  'password-strength': ['fault.not_strong', 'fault.not_strong_next', 'password'],
  same: ['task.same', 'task.same_next', 'password'],
  busy: ['password_reset.busy', 'password_reset.busy_next'],
  frozen: ['fault.frozen', 'fault.frozen_next'],
  'not-accepted': ['task.terms_missing', 'task.terms_missing_next'],
  changed: ['task.terms_changed', 'task.terms_changed_next'],
  stale: ['stale.message', 'stale.next'],
};

const REASONS: Record<PasswordTaskState['required_by'], MessageKey> = {
  operator: 'task.by_operator',
  breached: 'task.by_breached',
};

const HEADINGS: Record<TaskState['kind'], MessageKey> = {
  password: 'task.heading',
  terms: 'task.terms_heading',
  none: 'task.nothing',
};

export const heading = ({ task: { kind } }: PageOf<'task'>) => phrase(HEADINGS[kind]);

export function Page({ state }: { state: PageOf<'task'> }) {
  const { task: shown } = state;
  const title = heading(state);
  switch (shown.kind) {
    case 'none':
      return <NothingLeft shown={shown} title={title} />;
    case 'terms':
      return <TermsView shown={shown} title={title} />;
    case 'password':
      return <PasswordView shown={shown} title={title} />;
  }
}

interface ViewProps<State> {
  shown: State;
  title: ReturnType<typeof heading>;
}

function NothingLeft({ shown, title }: ViewProps<DoneTaskState>) {
  const { t } = useTranslation();
  return (
    <Form className="flow" action={PATHS.loginTask} hidden={toHiddenFields(shown)}>
      <Heading heading={title} client={shown.client}>
        <p>{t('task.nothing_text')}</p>
      </Heading>
      <Owner shown={shown} />
      {shown.error && <TaskAlert error={shown.error} />}
      <SubmitButton primary label={t('task.go_on')} busyLabel={t('app.one_moment')} />
    </Form>
  );
}

function TermsView({ shown, title }: ViewProps<TermsTaskState>) {
  const { t } = useTranslation();
  const hidden = {
    ...toHiddenFields(shown),
    [TASK_FIELDS.task]: `terms.${shown.terms}`,
    [TASK_FIELDS.termsHash]: shown.terms_hash,
  };
  return (
    <Form className="flow" action={PATHS.loginTask} hidden={hidden}>
      <Heading heading={title} client={shown.client}>
        <p>{t('task.terms_text')}</p>
      </Heading>
      <Owner shown={shown} />
      {shown.error && <TaskAlert error={shown.error} />}
      <TermsFields shown={shown} />
    </Form>
  );
}

function PasswordView({ shown, title }: ViewProps<PasswordTaskState>) {
  const { t } = useTranslation();
  const { account, error, rules, required_by: requiredBy } = shown;
  const id = useId();
  const { [NAMES.password]: password = '', [NAMES.repeat]: repeat = '' } = useTypedFields(id);
  const checks = passwordChecks(password, repeat, rules);
  return (
    <Form id={id} className="flow" action={PATHS.loginTask} hidden={toHiddenFields(shown)}>
      <Heading heading={title} client={shown.client}>
        <p>
          {t(REASONS[requiredBy])} {t('task.others')}
        </p>
      </Heading>
      <Owner shown={shown} />
      <AccountName username={account.username} />
      {error && <TaskAlert error={error} task={shown} />}
      <div className="stack">
        <NewPassword
          names={NAMES}
          password={password}
          checks={checks}
          rules={rules}
          alertIds={{ password: findAlertId(error, 'password'), repeat: findAlertId(error, 'repeat') }}
          autoFocus={!error}
        />
      </div>
      <SubmitButton primary label={t('task.submit')} busyLabel={t('task.submitting')} />
    </Form>
  );
}

function Owner({ shown: { account, cancel_url: cancelUrl } }: { shown: TaskState }) {
  const { t } = useTranslation();
  return (
    <AccountChip account={account} label="mfa.signing_in_as">
      {cancelUrl && <a href={cancelUrl}>{t('mfa.not_you')}</a>}
    </AccountChip>
  );
}

function TaskAlert({ error, task }: { error: TaskError; task?: PasswordTaskState }) {
  const { t } = useTranslation();
  const [message, next] = WORDS[error];
  const resetUrl = error === 'frozen' ? task?.password_reset_url : undefined;
  return (
    <ErrorAlert code={error} message={message} tone={error === 'stale' || error === 'changed' ? 'info' : 'danger'}>
      <p>{task?.reasons ? <WeakReasons reasons={task.reasons} rules={task.rules} /> : t(next)}</p>
      {resetUrl && (
        <p>
          <a href={resetUrl}>{t('task.by_mail')}</a>
        </p>
      )}
    </ErrorAlert>
  );
}

function toHiddenFields(shown: TaskState): Record<string, string> {
  return {
    [FIELDS.loginChallenge]: shown.login_challenge,
    [FIELDS.xsrf]: shown.xsrf_token,
    [FIELDS.ticket]: shown.ticket,
    [TASK_FIELDS.task]: shown.kind,
    [FIELDS.trustBrowser]: shown.trust_browser,
    [TASK_FIELDS.postponed]: shown.postponed,
  };
}

function findAlertId(error: TaskError | null, field: keyof typeof NAMES): string | undefined {
  return error && WORDS[error][2] === field ? ALERT_ID : undefined;
}
