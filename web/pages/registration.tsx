/** The result of a registration without a sign-in (REG-3), with a link back to the app. */
import { useTranslation } from 'react-i18next';
import type { PageOf, RegistrationState } from '../../src/contract/page-state.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { toBackPhrase } from '../ui/header.js';
import { ClockIcon, DangerIcon, SuccessIcon } from '../ui/icons.js';
import { Heading, type Outcome } from '../ui/heading.js';

const RESULTS: Record<RegistrationState['status'], { outcome: Outcome; heading: MessageKey; text: MessageKey }> = {
  success: { outcome: { tone: 'success', Icon: SuccessIcon }, heading: 'registration.done', text: 'registration.done_text' },
  'error-token': {
    outcome: { tone: 'warning', Icon: ClockIcon },
    heading: 'registration.expired',
    text: 'registration.expired_text',
  },
  error: { outcome: { tone: 'danger', Icon: DangerIcon }, heading: 'registration.error', text: 'registration.error_text' },
};

export const heading = ({ registration: { status } }: PageOf<'registration'>) => phrase(RESULTS[status].heading);

export function Page({ state }: { state: PageOf<'registration'> }) {
  const { t } = useTranslation();
  const { app, registration } = state;
  const { outcome, text: key } = RESULTS[registration.status];
  return (
    <div className="flow">
      <Heading heading={heading(state)} outcome={outcome}>
        <p>{t(key)}</p>
      </Heading>
      {app.return_to_url && (
        <a className="btn primary" href={app.return_to_url} rel="noreferrer">
          {t(...toBackPhrase(app))}
        </a>
      )}
      {!app.return_to_url && <EntryLink state={state} />}
    </div>
  );
}

/** Restarts the request or opens the start page of the installation, if the address of the app is unknown. */
function EntryLink({ state: { app, registration } }: { state: PageOf<'registration'> }) {
  const { t } = useTranslation();
  const url = registration.restart_url ?? app.home_url;
  if (!url) return null;
  return (
    <a className="btn primary" href={url}>
      {t(registration.restart_url ? 'challenge.restart' : 'app.go_to_sign_in')}
    </a>
  );
}
