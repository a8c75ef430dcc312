/** The result of a factor reset: a success, an expired link, or a failure (FAR-2). */
import { useTranslation } from 'react-i18next';
import type { PageOf } from '../../src/contract/page-state.js';
import type { MfaResetStatusState } from '../../src/contract/reset-state.js';
import { phrase, type MessageKey } from '../i18n/phrase.js';
import { ClockIcon, DangerIcon, SuccessIcon } from '../ui/icons.js';
import { Heading, type Outcome } from '../ui/heading.js';

const RESULTS: Record<MfaResetStatusState['status'], { outcome: Outcome; heading: MessageKey; text: MessageKey }> = {
  success: { outcome: { tone: 'success', Icon: SuccessIcon }, heading: 'mfa_reset.done', text: 'mfa_reset.done_text' },
  'error-token': { outcome: { tone: 'warning', Icon: ClockIcon }, heading: 'mfa_reset.expired', text: 'mfa_reset.expired_text' },
  error: { outcome: { tone: 'danger', Icon: DangerIcon }, heading: 'mfa_reset.error', text: 'mfa_reset.error_text' },
};

export const heading = ({ mfa_reset_status: { status } }: PageOf<'mfa_reset_status'>) => phrase(RESULTS[status].heading);

export function Page({ state }: { state: PageOf<'mfa_reset_status'> }) {
  const { t } = useTranslation();
  const { status } = state.mfa_reset_status;
  const { outcome, text: key } = RESULTS[status];
  const { home_url: signIn } = state.app;
  return (
    <div className="flow">
      <Heading heading={heading(state)} outcome={outcome}>
        <p>{t(key, { address: state.app.login_address })}</p>
      </Heading>
      {signIn && (
        <a className={status === 'success' ? 'btn primary' : 'btn'} href={signIn}>
          {t('app.go_to_sign_in')}
        </a>
      )}
    </div>
  );
}
