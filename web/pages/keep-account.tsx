/**
 * The page "Keep my account". The link in the mail about the deletion opens the page. Opening the page changes nothing; its form keeps
 * the account.
 */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { KeepAccountState } from '../../src/contract/reset-state.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { Moment } from '../ui/account/moment.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading, type Outcome } from '../ui/heading.js';
import { ClockIcon, DangerIcon, SuccessIcon } from '../ui/icons.js';

type Question = Extract<KeepAccountState, { status: 'ask' }>;
type Result = Exclude<KeepAccountState['status'], 'ask'>;

const RESULTS: Record<Result, { outcome: Outcome; heading: MessageKey; text: MessageKey }> = {
  success: { outcome: { tone: 'success', Icon: SuccessIcon }, heading: 'keep_account.done', text: 'keep_account.done_text' },
  'error-token': {
    outcome: { tone: 'warning', Icon: ClockIcon },
    heading: 'keep_account.expired',
    text: 'keep_account.expired_text',
  },
  error: { outcome: { tone: 'danger', Icon: DangerIcon }, heading: 'keep_account.error', text: 'keep_account.error_text' },
};

export const heading = ({ keep_account: { status } }: PageOf<'keep_account'>) =>
  phrase(status === 'ask' ? 'keep_account.heading' : RESULTS[status].heading);

export function Page({ state }: { state: PageOf<'keep_account'> }) {
  const { keep_account: content } = state;
  return content.status === 'ask' ? (
    <QuestionForm state={state} question={content} />
  ) : (
    <ResultView state={state} result={content.status} />
  );
}

function QuestionForm({ state, question }: { state: PageOf<'keep_account'>; question: Question }) {
  const { t } = useTranslation();
  const { token, xsrf_token: xsrf, due_at: dueAt } = question;
  return (
    <Form className="flow" action={PATHS.keepAccount} hidden={{ [FIELDS.linkToken]: token, [FIELDS.xsrf]: xsrf }}>
      <Heading heading={heading(state)}>
        <p>
          <MarkedPhrase i18nKey="keep_account.text" components={{ time: <Moment iso={dueAt} /> }} />
        </p>
      </Heading>
      <SubmitButton primary label={t('keep_account.submit')} busyLabel={t('app.one_moment')} />
      <p className="hint">{t('keep_account.not_you')}</p>
    </Form>
  );
}

function ResultView({ state, result }: { state: PageOf<'keep_account'>; result: Result }) {
  const { t } = useTranslation();
  const { outcome, text } = RESULTS[result];
  const { home_url: signIn } = state.app;
  return (
    <div className="flow">
      <Heading heading={heading(state)} outcome={outcome}>
        <p>{t(text)}</p>
      </Heading>
      {signIn && (
        <div className="tight">
          <a className="btn primary" href={signIn}>
            {t('app.go_to_sign_in')}
          </a>
        </div>
      )}
    </div>
  );
}
