/** The status banner: what was just done. It fades at 6.6 s by the stylesheet and is gone at 7 s (MAN-8). */
import { useTranslation } from 'react-i18next';
import type { ManageStatus } from '../../src/contract/manage-state.js';
import { usePassed } from '../browser/timing.js';
import type { MessageKey } from '../i18n/phrase.js';
import { Notice } from '../ui/notice.js';

const GONE_AFTER_MS = 7_000;

const WORDS: Record<ManageStatus, MessageKey> = {
  'password-success': 'manage.password_changed',
  'username-success': 'manage.username_changed',
  'oauth-disconnect-success': 'manage.disconnected',
  'oauth-connect-success': 'manage.connected',
  'mfa-success': 'manage.mfa_added',
  'mfa-removed': 'manage.mfa_removed',
  'recovery-codes-success': 'manage.codes_renewed',
  'account-security': 'manage.security',
  'form-stale': 'manage.form_stale',
};

interface Props {
  status: ManageStatus;
  hasFactor: boolean;
}

export function StatusBanner({ status, hasFactor }: Props) {
  const { t } = useTranslation();
  // A warning, which must not disappear.
  if (status === 'form-stale') {
    return (
      <Notice tone="warning" live message={t(WORDS[status])}>
        <p>{t('manage.form_stale_next')}</p>
      </Notice>
    );
  }
  return <PassingBanner status={status} hasFactor={hasFactor} />;
}

function PassingBanner({ status, hasFactor }: Props) {
  const { t } = useTranslation();
  const gone = usePassed(GONE_AFTER_MS);
  if (gone) return null;
  const isHint = status === 'account-security';
  return (
    <Notice tone={isHint ? 'info' : 'success'} look="passing" live message={t(WORDS[status])}>
      {isHint && <p>{t(hasFactor ? 'manage.security_text' : 'manage.security_factor')}</p>}
    </Notice>
  );
}
