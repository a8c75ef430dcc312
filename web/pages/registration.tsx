/**
 * The steps of a registration here, the form of an invitation, and the result of a registration without a sign-in (REG-3) or of an
 * invitation, with a link to the next step if there is one.
 */
import { useTranslation } from 'react-i18next';
import type { PageOf, RegistrationResultState } from '../../src/contract/page-state.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { toBackPhrase } from '../ui/header.js';
import { ClockIcon, DangerIcon, InfoIcon, SuccessIcon } from '../ui/icons.js';
import { Heading, type Outcome } from '../ui/heading.js';
import { InvitationForm } from './invitation-form.js';
import { CodeForm, DetailsForm, EndView, LastStep, STEP_HEADINGS } from './registration-steps.js';

type State = PageOf<'registration'>;

const RESULTS: Record<RegistrationResultState['status'], { outcome: Outcome; heading: MessageKey; text: MessageKey }> = {
  success: { outcome: { tone: 'success', Icon: SuccessIcon }, heading: 'registration.done', text: 'registration.done_text' },
  'error-token': {
    outcome: { tone: 'warning', Icon: ClockIcon },
    heading: 'registration.expired',
    text: 'registration.expired_text',
  },
  error: { outcome: { tone: 'danger', Icon: DangerIcon }, heading: 'registration.error', text: 'registration.error_text' },
  'invitation-used': {
    outcome: { tone: 'success', Icon: SuccessIcon },
    heading: 'registration.done',
    text: 'invitation.used_text',
  },
  'invitation-ended': {
    outcome: { tone: 'warning', Icon: ClockIcon },
    heading: 'invitation.ended',
    text: 'invitation.ended_text',
  },
  'invitation-exists': {
    outcome: { Icon: InfoIcon },
    heading: 'sign_up.exists',
    text: 'invitation.exists_text',
  },
};

const HEADINGS: Record<Exclude<State['registration']['status'], RegistrationResultState['status']>, MessageKey> = {
  ...STEP_HEADINGS,
  invitation: STEP_HEADINGS.details,
};

export const heading = ({ registration: { status } }: State) =>
  phrase(status in RESULTS ? RESULTS[status as keyof typeof RESULTS].heading : HEADINGS[status as keyof typeof HEADINGS]);

export function Page({ state }: { state: State }) {
  const { registration } = state;
  switch (registration.status) {
    case 'details':
      return <DetailsForm step={registration} />;
    case 'code':
      return <CodeForm step={registration} />;
    case 'password':
      return <LastStep step={registration} />;
    case 'exists':
    case 'waits':
      return <EndView step={registration} />;
    case 'invitation':
      return <InvitationForm state={state} form={registration} />;
    default:
      return <Result state={state} result={registration} />;
  }
}

function Result({ state, result }: { state: State; result: RegistrationResultState }) {
  const { t } = useTranslation();
  const { app } = state;
  const { outcome, text: key } = RESULTS[result.status];
  return (
    <div className="flow">
      <Heading heading={heading(state)} outcome={outcome}>
        <p>{t(key)}</p>
      </Heading>
      {app.return_to_url && (
        <a className="btn primary" href={app.return_to_url} rel="noreferrer">
          {result.status.startsWith('invitation') && app.return_to_name
            ? t('invitation.go', { name: app.return_to_name })
            : t(...toBackPhrase(app))}
        </a>
      )}
      {!app.return_to_url && <EntryLink url={result.restart_url} homeUrl={app.home_url} />}
    </div>
  );
}

/**
 * Restarts the request or opens the start page of the installation, if the address of the app is unknown. Without an address it renders
 * nothing.
 */
function EntryLink({ url, homeUrl }: { url: string | undefined; homeUrl: string | undefined }) {
  const { t } = useTranslation();
  const href = url ?? homeUrl;
  if (!href) return null;
  return (
    <a className="btn primary" href={href}>
      {t(url ? 'challenge.restart' : 'app.go_to_sign_in')}
    </a>
  );
}
