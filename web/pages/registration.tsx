/** How a registration ended that did not end in a sign-in (REG-3), and the way back to the app. */
import { useTranslation } from 'react-i18next';
import type { RegistrationPage, RegistrationState } from '../../src/contract/page-state.js';
import { phrase } from '../i18n/phrase.js';
import type { MessageKey } from '../i18n/phrase.js';
import { backTo } from '../ui/header.js';
import { ClockIcon, DangerIcon, SuccessIcon } from '../ui/icons.js';
import { Sign } from '../ui/sign.js';
import type { Outcome } from '../ui/sign.js';

const ENDS: Record<RegistrationState['status'], { outcome: Outcome; heading: MessageKey; text: MessageKey }> = {
  success: { outcome: { tone: 'success', Icon: SuccessIcon }, heading: 'registration.done', text: 'registration.done_text' },
  'error-token': {
    outcome: { tone: 'warning', Icon: ClockIcon },
    heading: 'registration.expired',
    text: 'registration.expired_text',
  },
  error: { outcome: { tone: 'danger', Icon: DangerIcon }, heading: 'registration.error', text: 'registration.error_text' },
};

export const heading = ({ registration: { status } }: RegistrationPage) => phrase(ENDS[status].heading);

export function Page({ state }: { state: RegistrationPage }) {
  const { t } = useTranslation();
  const { app, registration } = state;
  const { outcome, text: key } = ENDS[registration.status];
  return (
    <div className="flow">
      <Sign heading={heading(state)} outcome={outcome}>
        <p>{t(key)}</p>
      </Sign>
      {app.return_to_url && (
        <a className="btn primary" href={app.return_to_url} rel="noreferrer">
          {t(...backTo(app))}
        </a>
      )}
      {!app.return_to_url && <WayIn state={state} />}
    </div>
  );
}

/** Where no way back is known: into the request again, else to where a sign-in begins. */
function WayIn({ state: { app, registration } }: { state: RegistrationPage }) {
  const { t } = useTranslation();
  const url = registration.restart_url ?? app.home_url;
  if (!url) return null;
  return (
    <a className="btn primary" href={url}>
      {t(registration.restart_url ? 'challenge.restart' : 'app.go_to_sign_in')}
    </a>
  );
}
