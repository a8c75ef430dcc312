/**
 * Signs in with a code by mail. The page asks for a username, then for the code; both steps are the same for every username. It works
 * without script.
 */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { MailedCodeState, PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { CodeField } from '../ui/account/code-field.js';
import type { Fault, FaultWords } from '../ui/account/fault.js';
import { LockIcon, MailIcon } from '../ui/account/icons.js';
import { ALERT_ID, ErrorAlert } from '../ui/alert.js';
import { Field } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { StaleAlert } from '../ui/stale-alert.js';
import { UsernameInput } from '../ui/username-input.js';
import { Wait } from '../ui/wait.js';

type State = PageOf<'mailed_code'>;
type StepState<Status extends MailedCodeState['status']> = Extract<MailedCodeState, { status: Status }>;

const HEADINGS: Record<MailedCodeState['status'], MessageKey> = {
  ask: 'mailed_code.heading',
  code: 'factor.email_verify_heading',
  'not-enough': 'mailed_code.not_enough',
};

const CODE_WORDS: FaultWords = { 'invalid verification code': ['factor.email_wrong', 'mailed_code.wrong_next'] };

export const heading = ({ mailed_code: { status } }: State) => phrase(HEADINGS[status]);

export function Page({ state }: { state: State }) {
  const { mailed_code: step } = state;
  switch (step.status) {
    case 'ask':
      return <NameForm state={state} step={step} />;
    case 'code':
      return <CodeForm state={state} step={step} />;
    case 'not-enough':
      return <NotEnough state={state} />;
  }
}

const toHidden = ({ login_challenge: challenge, xsrf_token: xsrf, ticket }: MailedCodeState) => ({
  [FIELDS.loginChallenge]: challenge,
  [FIELDS.xsrf]: xsrf,
  [FIELDS.ticket]: ticket,
});

function NameForm({ state, step }: { state: State; step: StepState<'ask'> }) {
  const { t } = useTranslation();
  const { error, by_email: byEmail } = step;
  return (
    <Form className="flow" action={PATHS.loginCode} hidden={toHidden(step)}>
      <Heading heading={heading(state)} client={step.client} back={{ href: step.login_url, label: 'password_request.back' }}>
        <p>{t('mailed_code.text')}</p>
      </Heading>
      <NameAlert step={step} />
      <Field
        name={FIELDS.username}
        label={t(byEmail ? 'password_request.username_or_email' : 'password_request.username')}
        alertId={error === 'empty-username' ? ALERT_ID : undefined}
        requiredMessage={t(toMissingName(step))}
      >
        {(wiring) => <UsernameInput {...wiring} autoFocus={!error} defaultValue={step.username} />}
      </Field>
      <SubmitButton primary label={t('factor.email_send')} busyLabel={t('factor.email_sending')} />
    </Form>
  );
}

function toMissingName({ by_email: byEmail }: StepState<'ask'>): MessageKey {
  return byEmail ? 'password_request.no_name_next' : 'password_request.no_username_next';
}

function NameAlert({ step }: { step: StepState<'ask'> }) {
  const { t } = useTranslation();
  const { error, by_email: byEmail, retry_after: seconds } = step;
  switch (error) {
    case null:
      return null;
    case 'empty-username':
      return (
        <ErrorAlert code={error} message={byEmail ? 'password_request.no_name' : 'password_request.no_username'}>
          <p>{t(toMissingName(step))}</p>
        </ErrorAlert>
      );
    case 'stale':
      return <StaleAlert />;
    case 'ended':
      return (
        <ErrorAlert code={error} message="mailed_code.ended">
          <p>{t('mailed_code.ended_next')}</p>
        </ErrorAlert>
      );
    case 'limited':
      return (
        <ErrorAlert code={error} message="password_request.limited">
          <p>
            <Wait seconds={seconds} />
          </p>
        </ErrorAlert>
      );
  }
}

function CodeForm({ state, step }: { state: State; step: StepState<'code'> }) {
  const { t } = useTranslation();
  const { error } = step;
  const fault: Fault | null = error === 'invalid verification code' ? { code: error, count: 0 } : null;
  return (
    <div className="flow">
      <Form className="flow" action={PATHS.loginCode} hidden={toHidden(step)}>
        <Heading
          heading={heading(state)}
          outcome={{ Icon: MailIcon }}
          back={{ href: step.login_url, label: 'password_request.back' }}
        >
          <p>{t('mailed_code.sent_text')}</p>
          <p>{t('mailed_code.sent_secret')}</p>
        </Heading>
        <CodeAlert step={step} />
        <CodeField fault={fault} words={CODE_WORDS} missingMessage="factor.email_missing" autoFocus={error === null} />
        {step.remember === 'ask' && (
          <label className="check">
            <input type="checkbox" name={FIELDS.remember} value="true" defaultChecked={step.remember_checked} />{' '}
            {t('login.remember')}
          </label>
        )}
        <SubmitButton primary label={t('login.submit')} busyLabel={t('login.submitting')} />
      </Form>
      <Form className="tight" action={PATHS.loginCode} hidden={toHidden(step)}>
        <SubmitButton className="quiet" label={t('factor.email_again')} busyLabel={t('factor.email_sending')} />
        <a className="btn quiet" href={step.again_url}>
          {t('mailed_code.other_name')}
        </a>
      </Form>
    </div>
  );
}

function NotEnough({ state }: { state: State }) {
  const { t } = useTranslation();
  return (
    <div className="flow">
      <Heading heading={heading(state)} outcome={{ tone: 'warning', Icon: LockIcon }}>
        <p>{t('mailed_code.not_enough_text')}</p>
      </Heading>
      <a className="btn primary" href={state.mailed_code.login_url}>
        {t('password_request.back')}
      </a>
    </div>
  );
}

function CodeAlert({ step: { error, retry_after: seconds } }: { step: StepState<'code'> }) {
  const { t } = useTranslation();
  switch (error) {
    case 'stale':
      return <StaleAlert />;
    case 'busy':
      return (
        <ErrorAlert code={error} message="login.busy">
          <p>{t('login.busy_next')}</p>
        </ErrorAlert>
      );
    case 'limited':
      return (
        <ErrorAlert code={error} message="login.limited">
          <p>
            <Wait seconds={seconds} />
          </p>
        </ErrorAlert>
      );
    default:
      return null;
  }
}
