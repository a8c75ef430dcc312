/**
 * The steps in which people create their own accounts: their details, the code from the mail, and the password or a passkey; or the
 * reason why there is no new account. The forms work without script, except the one for a passkey.
 */
import { useId, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import { PATHS } from '../../src/contract/paths.js';
import { toDetailField, WORK_FIELDS, type RegistrationStepState, type WorkState } from '../../src/contract/registration-state.js';
import type { Send } from '../browser/busy-submit.js';
import { canCreateCredential, createCredential } from '../browser/calls/security-key.js';
import { useOnce } from '../browser/once.js';
import { useSubmitSoon } from '../browser/timing.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { AccountName } from '../ui/account-name.js';
import { CodeField } from '../ui/account/code-field.js';
import type { Fault, FaultWords } from '../ui/account/fault.js';
import { MailIcon } from '../ui/account/icons.js';
import { NEW_PASSWORD_WORDS, NewPasswordFields, type ErrorWords } from '../ui/account/new-password-fields.js';
import { ErrorAlert } from '../ui/alert.js';
import { Form, SubmitButton, useSubmission } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { StaleAlert } from '../ui/stale-alert.js';
import { Wait } from '../ui/wait.js';
import { RegistrationField } from '../ui/account/registration-field.js';

type StepState<Status extends RegistrationStepState['status']> = Extract<RegistrationStepState, { status: Status }>;
export type PasswordError = NonNullable<StepState<'password'>['error']>;

export const STEP_HEADINGS: Record<RegistrationStepState['status'], MessageKey> = {
  details: 'sign_up.heading',
  code: 'factor.email_verify_heading',
  password: 'sign_up.password_heading',
  exists: 'sign_up.exists',
  waits: 'sign_up.waits',
};

const CODE_WORDS: FaultWords = { 'invalid verification code': ['factor.email_wrong', 'factor.email_wrong_next'] };

export const PASSWORD_WORDS: Record<PasswordError, ErrorWords> = {
  ...NEW_PASSWORD_WORDS,
  passkey: ['sign_up.passkey_none', 'sign_up.passkey_none_next'],
  busy: ['sign_up.busy', 'sign_up.busy_next'],
};

const toHiddenFields = ({ xsrf_token: xsrf, login_challenge: challenge }: { xsrf_token: string; login_challenge: string }) => ({
  [FIELDS.xsrf]: xsrf,
  [FIELDS.loginChallenge]: challenge,
});

export function DetailsForm({ step }: { step: StepState<'details'> }) {
  const { t } = useTranslation();
  const { error, fields } = step;
  const focusField = fields.find(({ error: fault }) => fault !== undefined) ?? (error === null ? fields[0] : undefined);
  return (
    <div className="flow">
      <Heading heading={phrase(STEP_HEADINGS[step.status])} client={step.client}>
        <p>{t('sign_up.text')}</p>
        {step.approval && <p>{t('sign_up.approval')}</p>}
      </Heading>
      {error === 'stale' && <StaleAlert />}
      {error === 'fields' && (
        <ErrorAlert code={error} message="sign_up.fields_wrong" aboutField>
          <p>{t('sign_up.fields_wrong_next')}</p>
        </ErrorAlert>
      )}
      {error === 'limited' && <LimitedAlert seconds={step.retry_after} />}
      {error === 'full' && (
        <ErrorAlert code="full" message="sign_up.full">
          <p>{t('sign_up.full_next')}</p>
        </ErrorAlert>
      )}
      {error === 'work' && <WorkAlert />}
      <WorkForm className="flow" action={PATHS.registerDetails} hidden={toHiddenFields(step)} work={step.work}>
        <div className="stack">
          {fields.map((field) => (
            <RegistrationField
              key={field.name}
              field={field}
              inputName={toDetailField(field.name)}
              autoFocus={field === focusField}
            />
          ))}
        </div>
        <SubmitButton primary label={t('sign_up.submit')} busyLabel={t('factor.email_sending')} />
      </WorkForm>
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
      <Form className="flow" action={PATHS.registerCode} hidden={toHiddenFields(step)}>
        <Heading heading={phrase(STEP_HEADINGS[step.status])} outcome={{ Icon: MailIcon }}>
          <p>{t('factor.email_sent', { address })}</p>
          <p>{t('sign_up.code_hint')}</p>
        </Heading>
        <CodeAlert step={step} />
        <CodeField fault={fault} words={CODE_WORDS} missingMessage="factor.email_missing" autoFocus={error === null} />
        <SubmitButton primary label={t('sign_up.confirm')} busyLabel={t('factor.checking')} />
      </Form>
      <WorkForm className="tight" action={PATHS.registerCodeAgain} hidden={toHiddenFields(step)} work={step.work}>
        <SubmitButton className="quiet" label={t('factor.email_again')} busyLabel={t('factor.email_sending')} />
        <a className="btn quiet" href={step.details_url}>
          {t('sign_up.change_address')}
        </a>
      </WorkForm>
    </div>
  );
}

function CodeAlert({ step: { error, retry_after: seconds } }: { step: StepState<'code'> }) {
  const { t } = useTranslation();
  switch (error) {
    // `CodeField` shows the error about a wrong code.
    case null:
    case 'invalid verification code':
      return null;
    case 'stale':
      return <StaleAlert />;
    case 'limited':
      return <LimitedAlert seconds={seconds} />;
    case 'work':
      return <WorkAlert />;
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

export function LimitedAlert({ seconds }: { seconds: number | undefined }) {
  return (
    <ErrorAlert code="limited" message="sign_up.limited">
      <p>
        <Wait seconds={seconds} />
      </p>
    </ErrorAlert>
  );
}

function WorkAlert() {
  const { t } = useTranslation();
  return (
    <ErrorAlert code="work" message="sign_up.work_again">
      <p>{t('sign_up.work_again_next')}</p>
    </ErrorAlert>
  );
}

interface WorkFormProps {
  className: string;
  action: string;
  hidden: Readonly<Record<string, string>>;
  /** Absent if no work is required. */
  work: WorkState | undefined;
  children: ReactNode;
}

/** A form that requests a mail. If work is required, the browser does it first; without script, the person waits instead. */
function WorkForm({ work, children, hidden, ...rest }: WorkFormProps) {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  if (!work) {
    return (
      <Form hidden={hidden} {...rest}>
        {children}
      </Form>
    );
  }
  const send: Send = async () => {
    try {
      const { sendWithWork } = await import('../browser/mail-work.js');
      if (form.current) await sendWithWork(form.current, WORK_FIELDS.solution, work);
    } catch {
      // The file could not be loaded, and some browsers do not try again, so the form waits as without script.
      await new Promise((resolve) => setTimeout(resolve, work.wait * 1000));
      form.current?.submit();
    }
    return 'leaves';
  };
  return (
    <Form {...rest} hidden={{ ...hidden, [WORK_FIELDS.token]: work.token }} form={form} send={send}>
      <input type="hidden" name={WORK_FIELDS.solution} />
      <p className="small without-script">{t('sign_up.work_wait', { seconds: work.wait })}</p>
      {children}
      <WorkStatus />
    </Form>
  );
}

function WorkStatus() {
  const { t } = useTranslation();
  const isWorking = useSubmission() !== null;
  return (
    <p className={isWorking ? 'small' : 'sr'} role="status">
      {isWorking && t('sign_up.working')}
    </p>
  );
}

export function LastStep({ step }: { step: StepState<'password'> }) {
  return (
    <div className="flow">
      <PasswordForm step={step} />
      {step.passkey && <PasskeyForm step={step} options={step.passkey} />}
    </div>
  );
}

/** A passkey in place of the password. It needs script and a browser with WebAuthn. */
function PasskeyForm({ step, options }: { step: StepState<'password'>; options: object }) {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const [credential, setCredential] = useState('');
  const [status, setStatus] = useState<'ready' | 'asking' | 'refused' | 'impossible'>('ready');
  useSubmitSoon(form, credential === '' ? null : credential);
  useOnce(() => {
    if (!canCreateCredential()) setStatus('impossible');
  });
  const create = async () => {
    setStatus('asking');
    const answer = await createCredential(options);
    if (answer.kind === 'answered') setCredential(JSON.stringify(answer.credential));
    else setStatus('refused');
  };
  if (status === 'impossible') return null;
  const isAsking = status === 'asking';
  return (
    <Form
      className="flow needs-script"
      form={form}
      action={PATHS.registerPassword}
      hidden={{ ...toHiddenFields(step), [FIELDS.credential]: credential }}
    >
      <p className="or">{t('sign_up.passkey_or')}</p>
      <p>{t('sign_up.passkey_text')}</p>
      {status === 'refused' && <p role="alert">{t('sign_up.passkey_none_next')}</p>}
      <button
        className="btn"
        type="button"
        aria-disabled={isAsking || undefined}
        onClick={() => {
          if (!isAsking) void create();
        }}
      >
        {t(isAsking ? 'sign_up.passkey_making' : 'sign_up.passkey')}
        {isAsking && <span className="spinner" />}
      </button>
    </Form>
  );
}

function PasswordForm({ step }: { step: StepState<'password'> }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Form id={id} className="flow" action={PATHS.registerPassword} hidden={toHiddenFields(step)}>
      <Heading heading={phrase(STEP_HEADINGS[step.status])}>
        <p>{t('sign_up.password_text')}</p>
      </Heading>
      <AccountName username={step.username} />
      <NewPasswordFields formId={id} form={step} words={PASSWORD_WORDS} />
      <SubmitButton
        primary
        label={step.approval ? t('sign_up.send') : t('sign_up.create')}
        busyLabel={step.approval ? t('factor.email_sending') : t('sign_up.creating')}
      />
    </Form>
  );
}

export function EndView({ step }: { step: StepState<'exists' | 'waits'> }) {
  const { t } = useTranslation();
  const { status, login_url: loginUrl } = step;
  const isWaiting = status === 'waits';
  return (
    <div className="flow">
      <Heading heading={phrase(STEP_HEADINGS[status])} outcome={{ tone: isWaiting ? 'success' : 'warning', Icon: MailIcon }}>
        <p>{step.status === 'waits' ? t('sign_up.waits_text', { address: step.sent_to }) : t('sign_up.exists_text')}</p>
      </Heading>
      <a className={isWaiting ? 'btn' : 'btn primary'} href={loginUrl}>
        {t(isWaiting ? 'app.go_to_sign_in' : 'sign_up.sign_in')}
      </a>
    </div>
  );
}
