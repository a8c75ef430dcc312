/** The steps in which people create their own accounts: their details, the code from the mail, and the password. The forms work without script. */
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import { passwordChecks } from '../../src/contract/password-strength.js';
import { PATHS } from '../../src/contract/paths.js';
import { toDetailField, type RegistrationStepState } from '../../src/contract/registration-state.js';
import { useTypedFields } from '../browser/typed-fields.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { AccountName } from '../ui/account-name.js';
import { CodeField } from '../ui/account/code-field.js';
import type { Fault, FaultWords } from '../ui/account/fault.js';
import { MailIcon } from '../ui/account/icons.js';
import { NewPassword } from '../ui/account/new-password.js';
import { WeakReasons } from '../ui/account/weak-reasons.js';
import { ALERT_ID, ErrorAlert } from '../ui/alert.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { StaleAlert } from '../ui/stale-alert.js';
import { Wait } from '../ui/wait.js';
import { RegistrationField } from './registration-field.js';

type StepState<Status extends RegistrationStepState['status']> = Extract<RegistrationStepState, { status: Status }>;
type PasswordError = NonNullable<StepState<'password'>['error']>;

export const STEP_HEADINGS: Record<RegistrationStepState['status'], MessageKey> = {
  details: 'sign_up.heading',
  code: 'factor.email_verify_heading',
  password: 'sign_up.password_heading',
  exists: 'sign_up.exists',
};

const CODE_WORDS: FaultWords = { 'invalid verification code': ['factor.email_wrong', 'factor.email_wrong_next'] };

const NAMES = { password: FIELDS.password, repeat: FIELDS.passwordRepeat };

/** The message for each error, what to do next, and the field that the error is about. */
const PASSWORD_WORDS: Record<PasswordError, readonly [message: MessageKey, next: MessageKey, field?: keyof typeof NAMES]> = {
  'empty-password': ['fault.no_new_password', 'fault.no_new_password_next', 'password'],
  'empty-password-repeat': ['fault.no_repeat', 'fault.no_repeat_next', 'repeat'],
  'passwords-not-equal': ['fault.not_equal', 'fault.not_equal_next', 'repeat'],
  'password-strength': ['fault.not_strong', 'fault.not_strong_next', 'password'],
  busy: ['sign_up.busy', 'sign_up.busy_next'],
  stale: ['stale.message', 'stale.next'],
};

const toHidden = ({ xsrf_token: xsrf, login_challenge: challenge }: { xsrf_token: string; login_challenge: string }) => ({
  [FIELDS.xsrf]: xsrf,
  [FIELDS.loginChallenge]: challenge,
});

export function DetailsForm({ step }: { step: StepState<'details'> }) {
  const { t } = useTranslation();
  const { error, fields } = step;
  const first = fields.find(({ error: fault }) => fault !== undefined) ?? (error === null ? fields[0] : undefined);
  return (
    <div className="flow">
      <Heading heading={phrase(STEP_HEADINGS[step.status])} client={step.client}>
        <p>{t('sign_up.text')}</p>
      </Heading>
      {error === 'stale' && <StaleAlert />}
      {error === 'fields' && (
        <ErrorAlert code={error} message="sign_up.fields_wrong" aboutField>
          <p>{t('sign_up.fields_wrong_next')}</p>
        </ErrorAlert>
      )}
      {error === 'limited' && <Limited seconds={step.retry_after} />}
      <Form className="flow" action={PATHS.registerDetails} hidden={toHidden(step)}>
        <div className="stack">
          {fields.map((field) => (
            <RegistrationField key={field.name} field={field} inputName={toDetailField(field.name)} autoFocus={field === first} />
          ))}
        </div>
        <SubmitButton primary label={t('sign_up.submit')} busyLabel={t('factor.email_sending')} />
      </Form>
      <p className="small">
        <span className="quiet-text">{t('sign_up.has_account')}</span> <a href={step.login_url}>{t('sign_up.sign_in')}</a>
      </p>
    </div>
  );
}

export function CodeForm({ step }: { step: StepState<'code'> }) {
  const { t } = useTranslation();
  const { error, sent_to: address } = step;
  const fault: Fault | null = error === 'invalid verification code' ? { code: error, count: 0 } : null;
  return (
    <div className="tight">
      <Form className="flow" action={PATHS.registerCode} hidden={toHidden(step)}>
        <Heading heading={phrase(STEP_HEADINGS[step.status])} outcome={{ Icon: MailIcon }}>
          <p>{t('factor.email_sent', { address })}</p>
          <p>{t('sign_up.code_hint')}</p>
        </Heading>
        <CodeAlert step={step} />
        <CodeField fault={fault} words={CODE_WORDS} missingMessage="factor.email_missing" autoFocus={error === null} />
        <SubmitButton primary label={t('sign_up.confirm')} busyLabel={t('factor.checking')} />
      </Form>
      <Form className="tight" action={PATHS.registerCodeAgain} hidden={toHidden(step)}>
        <SubmitButton className="quiet" label={t('factor.email_again')} busyLabel={t('factor.email_sending')} />
        <a className="btn quiet" href={step.details_url}>
          {t('sign_up.change_address')}
        </a>
      </Form>
    </div>
  );
}

function CodeAlert({ step: { error, retry_after: seconds } }: { step: StepState<'code'> }) {
  const { t } = useTranslation();
  switch (error) {
    // The field of the code shows a wrong code.
    case null:
    case 'invalid verification code':
      return null;
    case 'stale':
      return <StaleAlert />;
    case 'limited':
      return <Limited seconds={seconds} />;
    case 'used-up':
      return (
        <ErrorAlert code={error} message="sign_up.used_up">
          <p>{t('sign_up.used_up_next')}</p>
        </ErrorAlert>
      );
    case 'expired':
      return (
        <ErrorAlert code={error} message="factor.email_expired">
          <p>{t('factor.email_expired_next')}</p>
        </ErrorAlert>
      );
  }
}

function Limited({ seconds }: { seconds: number | undefined }) {
  return (
    <ErrorAlert code="limited" message="sign_up.limited">
      <p>
        <Wait seconds={seconds} />
      </p>
    </ErrorAlert>
  );
}

export function PasswordForm({ step }: { step: StepState<'password'> }) {
  const { t } = useTranslation();
  const { error, rules } = step;
  const id = useId();
  const { [NAMES.password]: password = '', [NAMES.repeat]: repeat = '' } = useTypedFields(id);
  const checks = passwordChecks(password, repeat, rules);
  return (
    <Form id={id} className="flow" action={PATHS.registerPassword} hidden={toHidden(step)}>
      <Heading heading={phrase(STEP_HEADINGS[step.status])}>
        <p>{t('sign_up.password_text')}</p>
      </Heading>
      <AccountName username={step.username} />
      {error && <PasswordAlert error={error} step={step} />}
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
      <SubmitButton primary label={t('sign_up.create')} busyLabel={t('sign_up.creating')} />
    </Form>
  );
}

function PasswordAlert({ error, step: { reasons, rules } }: { error: PasswordError; step: StepState<'password'> }) {
  const { t } = useTranslation();
  const [message, next] = PASSWORD_WORDS[error];
  return (
    <ErrorAlert code={error} message={message} tone={error === 'stale' ? 'info' : 'danger'}>
      <p>{reasons ? <WeakReasons reasons={reasons} rules={rules} /> : t(next)}</p>
    </ErrorAlert>
  );
}

function findAlertId(error: PasswordError | null, field: keyof typeof NAMES): string | undefined {
  return error && PASSWORD_WORDS[error][2] === field ? ALERT_ID : undefined;
}

export function Exists({ step }: { step: StepState<'exists'> }) {
  const { t } = useTranslation();
  return (
    <div className="flow">
      <Heading heading={phrase(STEP_HEADINGS[step.status])} outcome={{ tone: 'warning', Icon: MailIcon }}>
        <p>{t('sign_up.exists_text')}</p>
      </Heading>
      <a className="btn primary" href={step.login_url}>
        {t('sign_up.sign_in')}
      </a>
    </div>
  );
}
