/** The question before a logout, and its results (OUT-1 … 5). */
import { useTranslation } from 'react-i18next';
import type { LogoutState, PageOf } from '../../src/contract/page-state.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { ErrorAlert } from '../ui/alert.js';
import { DangerIcon, InfoIcon, SuccessIcon } from '../ui/icons.js';
import { Heading, type Outcome } from '../ui/heading.js';
import { ContinueLink } from '../ui/continue-link.js';
import { LogoutQuestion } from './logout-question.js';

type Ended = Exclude<LogoutState['status'], 'pending'>;

const ENDS: Record<Ended, { outcome: Outcome; heading: MessageKey; text: MessageKey }> = {
  accepted: { outcome: { tone: 'success', Icon: SuccessIcon }, heading: 'logout.accepted', text: 'logout.accepted_text' },
  rejected: { outcome: { Icon: InfoIcon }, heading: 'logout.rejected', text: 'logout.rejected_text' },
  failed: { outcome: { tone: 'danger', Icon: DangerIcon }, heading: 'logout.failed', text: 'logout.failed_text' },
};

/** The result in a browser without a session. Anybody can open the addresses of the results, so the page does not claim a logout. */
const NOBODY = { outcome: { Icon: InfoIcon }, heading: 'logout.nobody', text: 'logout.nobody_text' } as const;

function findEnd({ status, apps_notified: appsNotified, nobody }: LogoutState) {
  if (status === 'pending') return null;
  if (nobody) return status === 'rejected' ? { ...ENDS.rejected, text: NOBODY.text } : NOBODY;
  return status === 'accepted' && !appsNotified ? { ...ENDS.accepted, text: 'logout.accepted_here' as const } : ENDS[status];
}

export function heading({ logout }: PageOf<'logout'>) {
  const end = findEnd(logout);
  if (end) return phrase(end.heading);
  return phrase(isAsked(logout) ? 'logout.heading' : 'logout.heading_challenge');
}

export function Page({ state }: { state: PageOf<'logout'> }) {
  const { logout, app } = state;
  const end = findEnd(logout);
  if (end) return <LogoutEnd state={state} end={end} />;
  if (isAsked(logout)) return <LogoutQuestion heading={heading(state)} logout={logout} appName={app.name} />;
  return <LogoutWithoutChallenge state={state} />;
}

function isAsked({ logout_challenge: challenge, local }: LogoutState): boolean {
  return challenge !== '' || local === true;
}

function LogoutEnd({ state, end }: { state: PageOf<'logout'>; end: NonNullable<ReturnType<typeof findEnd>> }) {
  const { t } = useTranslation();
  const { outcome, text: key } = end;
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
