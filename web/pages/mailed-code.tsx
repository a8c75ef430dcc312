/**
 * Signs in with a code by mail. The page asks for a username, then for the code; both steps are the same for every username. If the
 * code is right but not enough for the request, the page says so. It works without script.
 */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { MailedCodeState, PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { CodeField } from '../ui/account/code-field.js';
import type { Fault, FaultWords } from '../ui/account/fault.js';
import { LockIcon, MailIcon } from '../ui/account/icons.js';
import { ErrorAlert } from '../ui/alert.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { StaleAlert } from '../ui/stale-alert.js';
import { UsernameFields } from '../ui/username-fields.js';
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
      return <NotEnoughView state={state} />;
  }
}

const toHiddenFields = ({ login_challenge: challenge, xsrf_token: xsrf, ticket }: MailedCodeState) => ({
  [FIELDS.loginChallenge]: challenge,
  [FIELDS.xsrf]: xsrf,
  [FIELDS.ticket]: ticket,
});

function NameForm({ state, step }: { state: State; step: StepState<'ask'> }) {
  const { t } = useTranslation();
  const { error } = step;
  return (
    <Form className="flow" action={PATHS.loginCode} hidden={toHiddenFields(step)}>
      <Heading heading={heading(state)} client={step.client} backLink={{ href: step.login_url, label: 'password_request.back' }}>
        <p>{t('mailed_code.text')}</p>
      </Heading>
      {error === 'ended' && (
        <ErrorAlert code={error} message="mailed_code.ended">
          <p>{t('mailed_code.ended_next')}</p>
        </ErrorAlert>
      )}
      <UsernameFields form={{ ...step, error: error === 'ended' ? null : error }} hasAlert={error === 'ended'} />
      <SubmitButton primary label={t('factor.email_send')} busyLabel={t('factor.email_sending')} />
    </Form>
  );
}

function CodeForm({ state, step }: { state: State; step: StepState<'code'> }) {
  const { t } = useTranslation();
  const { error } = step;
  const fault: Fault | null = error === 'invalid verification code' ? { code: error, count: 0 } : null;
  return (
    <div className="flow">
      <Form className="flow" action={PATHS.loginCode} hidden={toHiddenFields(step)}>
        <Heading
          heading={heading(state)}
          outcome={{ Icon: MailIcon }}
          backLink={{ href: step.login_url, label: 'password_request.back' }}
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
      <Form className="tight" action={PATHS.loginCode} hidden={toHiddenFields(step)}>
        <SubmitButton className="quiet" label={t('factor.email_again')} busyLabel={t('factor.email_sending')} />
        <a className="btn quiet" href={step.again_url}>
          {t('mailed_code.other_name')}
        </a>
      </Form>
    </div>
  );
}

function NotEnoughView({ state }: { state: State }) {
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
