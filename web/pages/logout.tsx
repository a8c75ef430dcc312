/** The question before a logout, and its results (OUT-1 … 5). */
import { useTranslation } from 'react-i18next';
import type { LogoutState, PageOf } from '../../src/contract/page-state.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { ErrorAlert } from '../ui/alert.js';
import { DangerIcon, InfoIcon, SuccessIcon } from '../ui/icons.js';
import { Heading, type Outcome } from '../ui/heading.js';
import { ContinueLink } from '../ui/continue-link.js';
import { LogoutQuestion } from './logout-question.js';

type Result = Exclude<LogoutState['status'], 'pending'>;

const RESULTS: Record<Result, { outcome: Outcome; heading: MessageKey; text: MessageKey }> = {
  accepted: { outcome: { tone: 'success', Icon: SuccessIcon }, heading: 'logout.accepted', text: 'logout.accepted_text' },
  rejected: { outcome: { Icon: InfoIcon }, heading: 'logout.rejected', text: 'logout.rejected_text' },
  failed: { outcome: { tone: 'danger', Icon: DangerIcon }, heading: 'logout.failed', text: 'logout.failed_text' },
};

/**
 * The result in a browser without a session. Anybody can open the address of a result, so the page does not state that somebody was
 * signed out.
 */
const NOBODY_RESULT = { outcome: { Icon: InfoIcon }, heading: 'logout.nobody', text: 'logout.nobody_text' } as const;

function findResult({ status, apps_notified: appsNotified, nobody }: LogoutState) {
  if (status === 'pending') return null;
  if (nobody) return status === 'rejected' ? { ...RESULTS.rejected, text: NOBODY_RESULT.text } : NOBODY_RESULT;
  return status === 'accepted' && !appsNotified
    ? { ...RESULTS.accepted, text: 'logout.accepted_here' as const }
    : RESULTS[status];
}

export function heading({ logout }: PageOf<'logout'>) {
  const result = findResult(logout);
  if (result) return phrase(result.heading);
  return phrase(hasQuestion(logout) ? 'logout.heading' : 'logout.heading_challenge');
}

export function Page({ state }: { state: PageOf<'logout'> }) {
  const { logout, app } = state;
  const result = findResult(logout);
  if (result) return <LogoutResult state={state} result={result} />;
  if (hasQuestion(logout)) return <LogoutQuestion heading={heading(state)} logout={logout} appName={app.name} />;
  return <LogoutWithoutChallenge state={state} />;
}

function hasQuestion({ logout_challenge: challenge, local }: LogoutState): boolean {
  return challenge !== '' || local === true;
}

function LogoutResult({ state, result }: { state: PageOf<'logout'>; result: NonNullable<ReturnType<typeof findResult>> }) {
  const { t } = useTranslation();
  const { outcome, text: key } = result;
  return (
    <div className="flow">
      <Heading heading={heading(state)} outcome={outcome}>
        <p>{t(key, { app: state.app.name })}</p>
      </Heading>
      <ContinueLink app={state.app} homeLabel="app.home" />
    </div>
  );
}

function LogoutWithoutChallenge({ state }: { state: PageOf<'logout'> }) {
  const { t } = useTranslation();
  return (
    <div className="flow">
      <Heading heading={heading(state)} />
      <ErrorAlert code="challenge" message="logout.challenge">
        <p>{t('logout.challenge_next')}</p>
      </ErrorAlert>
      <ContinueLink app={state.app} homeLabel="app.home" />
    </div>
  );
}
