/** The result of a password reset: a success, an expired link, or a failure (PWR-6). A pending sign-in continues from here (LOG-3). */
import { useTranslation } from 'react-i18next';
import type { PageOf } from '../../src/contract/page-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { PasswordResetStatusState } from '../../src/contract/reset-state.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { ClockIcon, DangerIcon, SuccessIcon } from '../ui/icons.js';
import { Heading, type Outcome } from '../ui/heading.js';

const RESULTS: Record<PasswordResetStatusState['status'], { outcome: Outcome; heading: MessageKey; text: MessageKey }> = {
  success: {
    outcome: { tone: 'success', Icon: SuccessIcon },
    heading: 'password_reset.done',
    text: 'password_reset.done_text',
  },
  'error-token': {
    outcome: { tone: 'warning', Icon: ClockIcon },
    heading: 'password_reset.expired',
    text: 'password_reset.expired_text',
  },
  error: { outcome: { tone: 'danger', Icon: DangerIcon }, heading: 'password_reset.error', text: 'password_reset.error_text' },
};

export const heading = ({ password_reset_status: { status } }: PageOf<'password_reset_status'>) =>
  phrase(RESULTS[status].heading);

export function Page({ state }: { state: PageOf<'password_reset_status'> }) {
  const { t } = useTranslation();
  const { status, restart_url: restartUrl } = state.password_reset_status;
  const signIn = restartUrl ?? state.app.home_url;
  const { outcome, text: key } = RESULTS[status];
  const isDone = status === 'success';
  return (
    <div className="flow">
      <Heading
        heading={heading(state)}
        outcome={outcome}
        backLink={isDone || signIn === undefined ? undefined : { href: signIn, label: 'password_reset.back' }}
      >
        <p>{t(key, { address: state.app.login_address })}</p>
      </Heading>
      {!isDone && (
        <a className="btn primary" href={PATHS.passwordRequestForm}>
          {t('password_reset.request')}
        </a>
      )}
      {isDone && signIn && (
        <a className="btn primary" href={signIn}>
          {t('password_reset.go_on')}
        </a>
      )}
    </div>
  );
}
