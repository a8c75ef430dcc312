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
import { Form, SubmitButton } from '../ui/form.js';
import { Heading } from '../ui/heading.js';
import { ClockIcon } from '../ui/icons.js';
import { StaleAlert } from '../ui/stale-alert.js';
import { UsernameFields } from '../ui/username-fields.js';

type State = PageOf<'support'>;
type StepState<Status extends SupportState['status']> = Extract<SupportState, { status: Status }>;

const HEADINGS: Record<SupportState['status'], MessageKey> = {
  ask: 'support.heading',
  code: 'factor.email_verify_heading',
  words: 'support.words',
  ended: 'support.ended',
};

const CODE_WORDS: FaultWords = { 'invalid verification code': ['factor.email_wrong', 'support.wrong_next'] };

export const heading = ({ support: { status } }: State) => phrase(HEADINGS[status]);

export function Page({ state }: { state: State }) {
  const { support: step } = state;
  switch (step.status) {
    case 'ask':
      return <NameForm state={state} step={step} />;
    case 'code':
      return <CodeForm state={state} step={step} />;
    case 'words':
      return <WordsView state={state} step={step} />;
    case 'ended':
      return <EndView state={state} />;
  }
}

function NameForm({ state, step }: { state: State; step: StepState<'ask'> }) {
  const { t } = useTranslation();
  return (
    <Form className="flow" action={PATHS.support} hidden={{ [FIELDS.xsrf]: step.xsrf_token }}>
      <Heading heading={heading(state)}>
        <p>{t('support.text')}</p>
      </Heading>
      <UsernameFields form={step} />
      <SubmitButton primary label={t('factor.email_send')} busyLabel={t('factor.email_sending')} />
      <p className="hint">{t('support.signed_in')}</p>
    </Form>
  );
}

function CodeForm({ state, step }: { state: State; step: StepState<'code'> }) {
  const { t } = useTranslation();
  const { error } = step;
  const fault: Fault | null = error === null || error === 'stale' ? null : { code: error, count: 0 };
  return (
    <Form className="flow" action={PATHS.supportCode} hidden={{ [FIELDS.xsrf]: step.xsrf_token }}>
      <Heading heading={heading(state)} outcome={{ Icon: MailIcon }}>
        <p>{t('support.sent_text')}</p>
        <p>{t('support.sent_secret')}</p>
      </Heading>
      {error === 'stale' && <StaleAlert />}
      <CodeField fault={fault} words={CODE_WORDS} missingMessage="factor.email_missing" autoFocus={error === null} />
      <div className="tight">
        <SubmitButton primary label={t('support.confirm')} busyLabel={t('factor.checking')} />
        <a className="btn quiet" href={PATHS.support}>
          {t('factor.email_again')}
        </a>
      </div>
    </Form>
  );
}

function WordsView({ state, step: { check, xsrf_token: xsrf } }: { state: State; step: StepState<'words'> }) {
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

function EndView({ state }: { state: State }) {
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
