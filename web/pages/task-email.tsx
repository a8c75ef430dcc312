/** The task of proving an e-mail address: asks for the address, then for the code that was mailed to it. The forms work without script. */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import type { EmailTaskState } from '../../src/contract/task-state.js';
import type { Phrase } from '../i18n/phrase.js';
import { CodeField } from '../ui/account/code-field.js';
import { EmailField } from '../ui/account/email-field.js';
import { FaultAlert, useFault, type FaultWords } from '../ui/account/fault.js';
import { Later } from '../ui/account/later.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { StaleAlert } from '../ui/stale-alert.js';
import { Owner, toHiddenFields } from './task-frame.js';

interface Props {
  task: EmailTaskState;
  title: Phrase;
}

const WORDS: FaultWords = {
  'invalid verification code': ['factor.email_wrong', 'factor.email_wrong_next'],
  'session expired': ['factor.email_expired', 'factor.email_expired_next'],
  'credentials frozen': ['fault.frozen', 'task.email_frozen'],
};

export function EmailTask({ task, title }: Props) {
  const { later_until: laterUntil } = task;
  return (
    <div className="flow">
      <Step task={task} title={title} />
      {laterUntil !== undefined && <Later laterUntil={laterUntil} action={PATHS.loginTask} hidden={toHiddenFields(task)} />}
    </div>
  );
}

function Step(props: Props) {
  const { error, sent_to: sentTo } = props.task;
  if (error === 'credentials frozen') return <FrozenView {...props} />;
  return sentTo === undefined ? <AddressForm {...props} /> : <CodeForm {...props} />;
}

/** No code counts until the freeze is over, so there is no form: a link by mail proves the mailbox too. */
function FrozenView({ task, title }: Props) {
  const { t } = useTranslation();
  const { fault } = useFault('credentials frozen');
  const { password_reset_url: resetUrl } = task;
  return (
    <>
      <Heading heading={title} client={task.client} />
      <Owner task={task} />
      <FaultAlert fault={fault} words={WORDS} />
      {resetUrl && (
        <a className="btn primary" href={resetUrl}>
          {t('task.by_mail')}
        </a>
      )}
    </>
  );
}

function AddressForm({ task, title }: Props) {
  const { t } = useTranslation();
  const { error, email, retry_after: retryAfterSeconds } = task;
  const { fault } = useFault(error === 'stale' ? null : error, { retryAfterSeconds });
  return (
    <Form className="flow" action={PATHS.loginTask} hidden={toHiddenFields(task)}>
      <Heading heading={title} client={task.client}>
        {email === '' && error === null ? (
          <p>
            {t('manage_email.text_add')} {t('manage_email.hint')}
          </p>
        ) : (
          <p>{t('task.email_text')}</p>
        )}
      </Heading>
      <Owner task={task} />
      {error === 'stale' && <StaleAlert />}
      <FaultAlert fault={fault} words={WORDS} />
      <EmailField
        label={t('sign_up.email')}
        requiredMessage={t('sign_up.email_wrong')}
        fault={fault}
        value={email}
        autoFocus={!error}
      />
      <SubmitButton primary label={t('factor.email_send')} busyLabel={t('factor.email_sending')} />
    </Form>
  );
}

function CodeForm({ task, title }: Props) {
  const { t } = useTranslation();
  const { error, sent_to: address = '', other_url: otherUrl, retry_after: retryAfterSeconds } = task;
  const { fault } = useFault(error === 'stale' ? null : error, { retryAfterSeconds });
  const isAboutCode = error === 'invalid verification code';
  return (
    <>
      <Form className="flow" action={PATHS.loginTask} hidden={toHiddenFields(task)}>
        <Heading heading={title} client={task.client}>
          <p>{t('factor.email_sent', { address })}</p>
        </Heading>
        <Owner task={task} />
        {error === 'stale' && <StaleAlert />}
        {!isAboutCode && <FaultAlert fault={fault} words={WORDS} />}
        <CodeField
          fault={isAboutCode ? fault : null}
          words={WORDS}
          missingMessage="factor.email_missing"
          autoFocus={error === null}
        />
        <SubmitButton primary label={t('sign_up.confirm')} busyLabel={t('factor.checking')} />
      </Form>
      <Form className="tight" action={PATHS.loginTask} hidden={{ ...toHiddenFields(task), [FIELDS.email]: address }}>
        <SubmitButton className="quiet" label={t('factor.email_again')} busyLabel={t('factor.email_sending')} />
        <a className="btn quiet" href={otherUrl}>
          {t('manage_email.other')}
        </a>
      </Form>
    </>
  );
}
