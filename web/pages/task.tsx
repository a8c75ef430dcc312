/** What a person has to do between a proof and the app. The forms are always posted, because the page has no token for RPC calls. */
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import {
  TASK_FIELDS,
  type DoneTaskState,
  type PasswordTaskState,
  type TaskState,
  type TermsTaskState,
} from '../../src/contract/task-state.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { AccountName } from '../ui/account-name.js';
import { Later } from '../ui/account/later.js';
import { NEW_PASSWORD_WORDS, NewPasswordFields, type ErrorWords } from '../ui/account/new-password-fields.js';
import { ErrorAlert } from '../ui/alert.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { StaleAlert } from '../ui/stale-alert.js';
import { EmailTask } from './task-email.js';
import { TermsFields } from './task-terms.js';
import { FieldsTask } from './task-fields.js';
import { Owner, toHiddenFields } from './task-frame.js';

type PasswordError = NonNullable<PasswordTaskState['error']>;

const WORDS: Record<PasswordError, ErrorWords> = {
  ...NEW_PASSWORD_WORDS,
  same: ['task.same', 'task.same_next', 'password'],
  frozen: ['fault.frozen', 'fault.frozen_next'],
};

const TERMS_WORDS: Record<'not-accepted' | 'changed', readonly [message: MessageKey, nextStep: MessageKey]> = {
  'not-accepted': ['task.terms_missing', 'task.terms_missing_next'],
  changed: ['task.terms_changed', 'task.terms_changed_next'],
};

const REASONS: Record<PasswordTaskState['required_by'], MessageKey> = {
  operator: 'task.by_operator',
  breached: 'task.by_breached',
};

const HEADINGS: Record<TaskState['kind'], MessageKey> = {
  password: 'task.heading',
  terms: 'task.terms_heading',
  email: 'task.email_heading',
  fields: 'task.fields_heading',
  none: 'task.nothing',
};

export const heading = ({ task: { kind } }: PageOf<'task'>) => phrase(HEADINGS[kind]);

export function Page({ state }: { state: PageOf<'task'> }) {
  const { task } = state;
  const title = heading(state);
  switch (task.kind) {
    case 'password':
      return <PasswordView task={task} title={title} />;
    case 'terms':
      return <TermsView task={task} title={title} />;
    case 'email':
      return <EmailTask task={task} title={title} />;
    case 'fields':
      return <FieldsTask task={task} title={title} />;
    case 'none':
      return <DoneView task={task} title={title} />;
  }
}

interface ViewProps<State> {
  task: State;
  title: ReturnType<typeof heading>;
}

function DoneView({ task, title }: ViewProps<DoneTaskState>) {
  const { t } = useTranslation();
  return (
    <Form className="flow" action={PATHS.loginTask} hidden={toHiddenFields(task)}>
      <Heading heading={title} client={task.client}>
        <p>{t('task.nothing_text')}</p>
      </Heading>
      <Owner task={task} />
      {task.error && <StaleAlert />}
      <SubmitButton primary label={t('task.go_on')} busyLabel={t('app.one_moment')} />
    </Form>
  );
}

function TermsView({ task, title }: ViewProps<TermsTaskState>) {
  const { t } = useTranslation();
  const { error } = task;
  const hidden = {
    ...toHiddenFields(task),
    [TASK_FIELDS.task]: `terms.${task.terms}`,
    [TASK_FIELDS.termsHash]: task.terms_hash,
  };
  return (
    <div className="flow">
      <Form className="flow" action={PATHS.loginTask} hidden={hidden}>
        <Heading heading={title} client={task.client}>
          <p>{t('task.terms_text')}</p>
        </Heading>
        <Owner task={task} />
        {error === 'stale' && <StaleAlert />}
        {error !== null && error !== 'stale' && (
          <ErrorAlert code={error} message={TERMS_WORDS[error][0]} tone={error === 'changed' ? 'info' : 'danger'}>
            <p>{t(TERMS_WORDS[error][1])}</p>
          </ErrorAlert>
        )}
        <TermsFields task={task} />
      </Form>
      {task.later_until !== undefined && <Later laterUntil={task.later_until} action={PATHS.loginTask} hidden={hidden} />}
      <Form className="tight" action={PATHS.loginTask} hidden={{ ...hidden, [FIELDS.proceed]: 'cancel' }}>
        <SubmitButton className="quiet" label={t('task.terms_cancel')} busyLabel={t('app.one_moment')} />
      </Form>
    </div>
  );
}

function PasswordView({ task, title }: ViewProps<PasswordTaskState>) {
  const { t } = useTranslation();
  const { account, error, password_reset_url: resetUrl, required_by: requiredBy } = task;
  const id = useId();
  return (
    <Form id={id} className="flow" action={PATHS.loginTask} hidden={toHiddenFields(task)}>
      <Heading heading={title} client={task.client}>
        <p>
          {t(REASONS[requiredBy])} {t('task.others')}
        </p>
      </Heading>
      <Owner task={task} />
      <AccountName username={account.username} />
      <NewPasswordFields
        formId={id}
        form={task}
        words={WORDS}
        errorNote={
          error === 'frozen' &&
          resetUrl && (
            <p>
              <a href={resetUrl}>{t('task.by_mail')}</a>
            </p>
          )
        }
      />
      <SubmitButton primary label={t('task.submit')} busyLabel={t('task.submitting')} />
    </Form>
  );
}
