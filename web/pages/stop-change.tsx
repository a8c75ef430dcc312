/**
 * The page "Stop this change". The link in the mail about a change that somebody requested at the help desk opens the page. Opening the
 * page changes nothing; its form stops the change.
 */
import { useTranslation } from 'react-i18next';
import { FIELDS } from '../../src/contract/form-fields.js';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { AnnouncedChangeState, StopChangeState } from '../../src/contract/reset-state.js';
import { Isolated } from '../i18n/isolated.js';
import { MarkedPhrase } from '../i18n/marked-phrase.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { Moment } from '../ui/account/moment.js';
import { Form, SubmitButton } from '../ui/form.js';
import { Heading, type Outcome } from '../ui/heading.js';
import { ClockIcon, DangerIcon, SuccessIcon } from '../ui/icons.js';

type State = PageOf<'stop_change'>;
type Question = Extract<StopChangeState, { status: 'ask' }>;
type Result = Exclude<StopChangeState['status'], 'ask'>;

interface ResultWords {
  outcome: Outcome;
  heading: MessageKey;
  text: MessageKey;
  advice?: MessageKey;
}

const SUCCESS_OUTCOME = { tone: 'success', Icon: SuccessIcon } as const;
const WARNING_OUTCOME = { tone: 'warning', Icon: ClockIcon } as const;

const RESULTS: Record<Result, ResultWords> = {
  success: {
    outcome: SUCCESS_OUTCOME,
    heading: 'stop_change.stopped',
    text: 'stop_change.stopped_text',
    advice: 'stop_change.check',
  },
  used: { outcome: SUCCESS_OUTCOME, heading: 'stop_change.used', text: 'stop_change.stopped_text', advice: 'stop_change.check' },
  done: { outcome: WARNING_OUTCOME, heading: 'stop_change.done', text: 'stop_change.done_text', advice: 'stop_change.check' },
  ended: { outcome: SUCCESS_OUTCOME, heading: 'stop_change.ended', text: 'stop_change.ended_text' },
  'error-token': { outcome: WARNING_OUTCOME, heading: 'stop_change.expired', text: 'stop_change.expired_text' },
  error: {
    outcome: { tone: 'danger', Icon: DangerIcon },
    heading: 'stop_change.error',
    text: 'stop_change.error_text',
  },
};

const CHANGES: Record<Exclude<AnnouncedChangeState['kind'], 'address'>, MessageKey> = {
  factors: 'stop_change.factors',
  factor: 'stop_change.factor',
  password: 'stop_change.password',
  'no-address': 'stop_change.no_address',
  source: 'stop_change.source',
  other: 'stop_change.other',
};

export const heading = ({ stop_change: { status } }: State) =>
  phrase(status === 'ask' ? 'stop_change.heading' : RESULTS[status].heading);

export function Page({ state }: { state: State }) {
  const { stop_change: content } = state;
  return content.status === 'ask' ? (
    <QuestionForm state={state} question={content} />
  ) : (
    <ResultView state={state} result={content.status} />
  );
}

function QuestionForm({ state, question }: { state: State; question: Question }) {
  const { t } = useTranslation();
  const { token, xsrf_token: xsrf, change, not_before: start } = question;
  return (
    <Form className="flow" action={PATHS.stopChange} hidden={{ [FIELDS.linkToken]: token, [FIELDS.xsrf]: xsrf }}>
      <Heading heading={heading(state)}>
        <p>
          <ChangeText change={change} />
        </p>
        <p>
          <MarkedPhrase i18nKey="stop_change.start" components={{ time: <Moment iso={start} /> }} />
        </p>
      </Heading>
      <SubmitButton primary label={t('stop_change.submit')} busyLabel={t('app.one_moment')} />
      <p className="hint">{t('stop_change.if_you')}</p>
    </Form>
  );
}

function ChangeText({ change: { kind, email = '' } }: { change: AnnouncedChangeState }) {
  const { t } = useTranslation();
  if (kind !== 'address') return t(CHANGES[kind]);
  return <MarkedPhrase i18nKey="stop_change.address" components={{ email: <Isolated text={email} /> }} />;
}

function ResultView({ state, result }: { state: State; result: Result }) {
  const { t } = useTranslation();
  const { outcome, text, advice } = RESULTS[result];
  const { home_url: signIn } = state.app;
  return (
    <div className="flow">
      <Heading heading={heading(state)} outcome={outcome}>
        <p>{t(text)}</p>
        {advice && <p>{t(advice)}</p>}
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
