/**
 * The page "That was not me" (NTC-1). The link in a notice opens the page. Opening the page changes nothing; its form secures the
 * account.
 */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { NotMeState } from '../../src/contract/reset-state.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { Form, SubmitButton } from '../ui/form.js';
import { ClockIcon, DangerIcon, SuccessIcon } from '../ui/icons.js';
import { Heading, type Outcome } from '../ui/heading.js';

type Question = Extract<NotMeState, { status: 'ask' }>;
type Result = Exclude<NotMeState['status'], 'ask'>;

const RESULTS: Record<Result, { outcome: Outcome; heading: MessageKey; text: MessageKey }> = {
  success: { outcome: { tone: 'success', Icon: SuccessIcon }, heading: 'not_me.done', text: 'not_me.done_text' },
  used: { outcome: { tone: 'success', Icon: SuccessIcon }, heading: 'not_me.used', text: 'not_me.used_text' },
  'error-token': { outcome: { tone: 'warning', Icon: ClockIcon }, heading: 'not_me.expired', text: 'not_me.expired_text' },
  error: { outcome: { tone: 'danger', Icon: DangerIcon }, heading: 'not_me.error', text: 'not_me.error_text' },
};

export const heading = ({ not_me: { status } }: PageOf<'not_me'>) =>
  phrase(status === 'ask' ? 'not_me.heading' : RESULTS[status].heading);

export function Page({ state }: { state: PageOf<'not_me'> }) {
  const { not_me: content } = state;
  return content.status === 'ask' ? (
    <QuestionForm state={state} question={content} />
  ) : (
    <ResultView state={state} result={content.status} />
  );
}

function QuestionForm({ state, question }: { state: PageOf<'not_me'>; question: Question }) {
  const { t } = useTranslation();
  const { token, xsrf_token: xsrf, freeze_hours: count, restored_address: address } = question;
  return (
    <Form className="flow" action={PATHS.notMe} hidden={{ [FIELDS.linkToken]: token, [FIELDS.xsrf]: xsrf }}>
      <Heading heading={heading(state)}>
        <p>{t('not_me.text')}</p>
      </Heading>
      <ul className="bullets">
        {address !== undefined && <li>{t('not_me.effect_email', { address })}</li>}
        <li>{t('not_me.effect_sessions')}</li>
        <li>{t('not_me.effect_password')}</li>
        <li>{t('not_me.effect_providers')}</li>
        <li>{t('not_me.effect_freeze', { count })}</li>
      </ul>
      <SubmitButton primary label={t('not_me.submit')} busyLabel={t('not_me.submitting')} />
      <p className="hint">{t('not_me.keep')}</p>
    </Form>
  );
}

function ResultView({ state, result }: { state: PageOf<'not_me'>; result: Result }) {
  const { t } = useTranslation();
  const { outcome, text: key } = RESULTS[result];
  const { home_url: signIn } = state.app;
  const isSecured = result === 'success' || result === 'used';
  return (
    <div className="flow">
      <Heading heading={heading(state)} outcome={outcome}>
        <p>{t(key)}</p>
        {isSecured && <p>{t('not_me.after')}</p>}
      </Heading>
      <div className="tight">
        <a className={result === 'success' ? 'btn' : 'btn primary'} href={PATHS.passwordRequestForm}>
          {t(isSecured ? 'not_me.again' : 'not_me.request')}
        </a>
        {signIn && result !== 'success' && (
          <a className="btn quiet" href={signIn}>
            {t('app.go_to_sign_in')}
          </a>
        )}
      </div>
    </div>
  );
}
