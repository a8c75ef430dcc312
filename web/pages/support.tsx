/**
 * The page for a person who has called the help desk and cannot sign in. It asks for a name, then for the code from the mail, and then
 * shows the words of the check. It works without script.
 */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { SupportState } from '../../src/contract/reset-state.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { CodeField } from '../ui/account/code-field.js';
import type { Fault, FaultWords } from '../ui/account/fault.js';
import { MailIcon } from '../ui/account/icons.js';
import { SupportCheck } from '../ui/account/support-check.js';
import { ALERT_ID, ErrorAlert } from '../ui/alert.js';
import { Field } from '../ui/field.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { ClockIcon } from '../ui/icons.js';
import { StaleAlert } from '../ui/stale-alert.js';
import { UsernameInput } from '../ui/username-input.js';
import { Wait } from '../ui/wait.js';

type State = PageOf<'support'>;
type Shown<Status extends SupportState['status']> = Extract<SupportState, { status: Status }>;

const HEADINGS: Record<SupportState['status'], MessageKey> = {
  ask: 'support.heading',
  code: 'factor.email_verify_heading',
  words: 'support.words',
  ended: 'support.ended',
};

const CODE_WORDS: FaultWords = { 'invalid verification code': ['factor.email_wrong', 'support.wrong_next'] };

export const heading = ({ support: { status } }: State) => phrase(HEADINGS[status]);

export function Page({ state }: { state: State }) {
  const { support: shown } = state;
  switch (shown.status) {
    case 'ask':
      return <NameForm state={state} shown={shown} />;
    case 'code':
      return <CodeForm state={state} shown={shown} />;
    case 'words':
      return <Words state={state} shown={shown} />;
    case 'ended':
      return <Ended state={state} />;
  }
}

function NameForm({ state, shown }: { state: State; shown: Shown<'ask'> }) {
  const { t } = useTranslation();
  const { error, by_email: byEmail } = shown;
  return (
    <Form className="flow" action={PATHS.support} hidden={{ [FIELDS.xsrf]: shown.xsrf_token }}>
      <Heading heading={heading(state)}>
        <p>{t('support.text')}</p>
      </Heading>
      <NameAlert shown={shown} />
      <Field
        name={FIELDS.username}
        label={t(byEmail ? 'password_request.username_or_email' : 'password_request.username')}
        alertId={error === 'empty-username' ? ALERT_ID : undefined}
        requiredMessage={t(toMissingName(shown))}
      >
        {(wiring) => <UsernameInput {...wiring} autoFocus={!error} defaultValue={shown.username} />}
      </Field>
      <SubmitButton primary label={t('factor.email_send')} busyLabel={t('factor.email_sending')} />
      <p className="hint">{t('support.signed_in')}</p>
    </Form>
  );
}

function toMissingName({ by_email: byEmail }: Shown<'ask'>): MessageKey {
  return byEmail ? 'password_request.no_name_next' : 'password_request.no_username_next';
}

function NameAlert({ shown }: { shown: Shown<'ask'> }) {
  const { t } = useTranslation();
  const { error, by_email: byEmail, retry_after: seconds } = shown;
  switch (error) {
    case null:
      return null;
    case 'empty-username':
      return (
        <ErrorAlert code={error} message={byEmail ? 'password_request.no_name' : 'password_request.no_username'}>
          <p>{t(toMissingName(shown))}</p>
        </ErrorAlert>
      );
    case 'stale':
      return <StaleAlert />;
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

function CodeForm({ state, shown }: { state: State; shown: Shown<'code'> }) {
  const { t } = useTranslation();
  const { error } = shown;
  const fault: Fault | null = error === null || error === 'stale' ? null : { code: error, count: 0 };
  return (
    <Form className="flow" action={PATHS.supportCode} hidden={{ [FIELDS.xsrf]: shown.xsrf_token }}>
      <Heading heading={heading(state)} outcome={{ Icon: MailIcon }}>
        <p>{t('support.sent_text')}</p>
        <p>{t('support.sent_secret')}</p>
      </Heading>
      {error === 'stale' && <StaleAlert />}
      <CodeField fault={fault} words={CODE_WORDS} missing="factor.email_missing" autoFocus={error === null} />
      <div className="tight">
        <SubmitButton primary label={t('support.confirm')} busyLabel={t('factor.checking')} />
        <a className="btn quiet" href={PATHS.support}>
          {t('factor.email_again')}
        </a>
      </div>
    </Form>
  );
}

function Words({ state, shown: { check, xsrf_token: xsrf } }: { state: State; shown: Shown<'words'> }) {
  const { t } = useTranslation();
  return (
    <div className="flow">
      <Heading heading={heading(state)}>
        {!check && <p>{t('support.none')}</p>}
        {!check && <p>{t('support.none_text')}</p>}
      </Heading>
      {check && <SupportCheck check={check} />}
      <Form className="tight" action={PATHS.supportEnd} hidden={{ [FIELDS.xsrf]: xsrf }}>
        <a className={check ? 'btn' : 'btn primary'} href={PATHS.supportWords}>
          {t('support.again')}
        </a>
        <SubmitButton className="quiet" label={t('support.end')} busyLabel={t('app.one_moment')} />
      </Form>
    </div>
  );
}

function Ended({ state }: { state: State }) {
  const { t } = useTranslation();
  return (
    <div className="flow">
      <Heading heading={heading(state)} outcome={{ tone: 'warning', Icon: ClockIcon }}>
        <p>{t('support.ended_text')}</p>
      </Heading>
      <a className="btn primary" href={PATHS.support}>
        {t('app.try_again')}
      </a>
    </div>
  );
}
