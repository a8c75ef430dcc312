/**
 * The result of the last change: the status banner (MAN-8), or the reason why a provider could not be connected (MAN-10). Unless the
 * banner is a warning, it is removed after 7 seconds. The stylesheet fades it out after 6.6 seconds, unless the person prefers reduced
 * motion.
 */
import { useTranslation } from 'react-i18next';
import type { ManageFrame, ManageStatus } from '../../../src/contract/manage-state.js';
import { useHasElapsed } from '../../browser/timing.js';
import { findEnrollable } from '../../factors/registry.js';
import type { MessageKey } from '../../i18n/phrase.js';
import { ErrorAlert } from '../alert.js';
import { Notice } from '../notice.js';

const BANNER_LIFETIME_MS = 7_000;

const WORDS: Record<ManageStatus, MessageKey> = {
  'password-success': 'manage.password_changed',
  'username-success': 'manage.username_changed',
  'email-success': 'manage.email_changed',
  'oauth-disconnect-success': 'manage.disconnected',
  'oauth-connect-success': 'manage.connected',
  'mfa-success': 'manage.mfa_added',
  'mfa-removed': 'manage.mfa_removed',
  'recovery-codes-success': 'manage.codes_renewed',
  'trust-ended': 'manage.trust_ended',
  'app-removed': 'manage.app_removed',
  'apps-removed': 'manage.apps_removed',
  'app-narrowed': 'manage.app_narrowed',
  'device-ended': 'manage.device_ended',
  'devices-ended': 'manage.devices_ended',
  'deletion-cancelled': 'manage.deletion_cancelled',
  'account-security': 'manage.security',
  'form-stale': 'manage.form_stale',
};

interface Props {
  status: ManageStatus;
  /** The kind of factor that was changed, from the address. */
  factor?: string | undefined;
  /** False if the account has no second factor, which the hint about security mentions. */
  hasFactor?: boolean;
}

/** Shows the last change on pages other than the overview. */
export function LastChange({ frame }: { frame: ManageFrame }) {
  const { status, oauth_error: oauthError } = frame.last_change ?? {};
  return (
    <>
      {status && <StatusBanner status={status} />}
      {oauthError !== undefined && <ConnectFailed code={oauthError} />}
    </>
  );
}

export function StatusBanner(props: Props) {
  const { t } = useTranslation();
  // Unlike a result, this warning must not disappear.
  if (props.status === 'form-stale') {
    return (
      <Notice tone="warning" live message={t(WORDS[props.status])}>
        <p>{t('manage.form_stale_next')}</p>
      </Notice>
    );
  }
  return <PassingBanner {...props} />;
}

function PassingBanner({ status, factor = '', hasFactor = true }: Props) {
  const { t } = useTranslation();
  const hasElapsed = useHasElapsed(BANNER_LIFETIME_MS);
  if (hasElapsed) return null;
  const isHint = status === 'account-security';
  return (
    <Notice
      tone={isHint ? 'info' : 'success'}
      className="passing"
      live
      message={t(findFactorMessage(status, factor) ?? WORDS[status])}
    >
      {isHint && <p>{t(hasFactor ? 'manage.security_text' : 'manage.security_factor')}</p>}
    </Notice>
  );
}

/** @returns the message that names the kind of factor; undefined for other changes */
function findFactorMessage(status: ManageStatus, factor: string): MessageKey | undefined {
  const overview = findEnrollable(factor)?.setUp.overview;
  if (status === 'mfa-success') return overview?.addedMessage;
  return status === 'mfa-removed' ? overview?.removedMessage : undefined;
}

/** The person cancelled at the provider, which is not an error. */
const CANCELLATION = 'access_denied';

const OAUTH_ERRORS: Readonly<Record<string, MessageKey>> = {
  [CANCELLATION]: 'manage.oauth_access_denied',
  unavailable: 'manage.oauth_unavailable',
  refused: 'manage.oauth_refused',
  expired: 'manage.oauth_expired',
  other_connected: 'manage.oauth_other_connected',
  limited: 'manage.oauth_limited',
  frozen: 'manage.oauth_frozen',
};

export function ConnectFailed({ code }: { code: string }) {
  const { t } = useTranslation();
  const message = Object.keys(OAUTH_ERRORS).includes(code) ? OAUTH_ERRORS[code] : undefined;
  return (
    <ErrorAlert code="oauth-error" message="manage.connect_failed" tone={code === CANCELLATION ? 'info' : 'danger'}>
      {message ? <p>{t(message)}</p> : <QuotedCode text={code} />}
    </ErrorAlert>
  );
}

/** Quotes an unknown code, because anybody can write the address that contains it. */
function QuotedCode({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <details className="unfolds">
      <summary>{t('manage.oauth_quoted')}</summary>
      <p>{t('manage.oauth_quoted_text')}</p>
      <blockquote>{text}</blockquote>
    </details>
  );
}
