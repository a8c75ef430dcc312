/** Shows below the account name that the account is well protected, or what the person should do next to protect it. */
import { useTranslation } from 'react-i18next';
import type { ManageProtection } from '../../src/contract/manage-protection.js';
import type { ManageState } from '../../src/contract/manage-state.js';
import { PATHS } from '../../src/contract/paths.js';
import type { MessageKey } from '../i18n/phrase.js';
import { ShieldIcon } from '../ui/account/icons.js';
import { WarningIcon } from '../ui/icons.js';

const TO_DO: Readonly<Record<Exclude<ManageProtection, 'good'>, readonly [words: MessageKey, path: string]>> = {
  'factor-missing': ['manage.protect_factor', PATHS.manageMfa],
  'password-alone': ['manage.protect_password', PATHS.manageMfa],
  'codes-unseen': ['manage.protect_codes_unseen', PATHS.manageRecoveryCodes],
  'codes-none': ['manage.protect_codes_none', PATHS.manageRecoveryCodes],
  'codes-few': ['manage.protect_codes_few', PATHS.manageRecoveryCodes],
  'email-missing': ['manage.protect_email', PATHS.manageEmail],
  'email-unverified': ['manage.protect_email_confirm', PATHS.manageEmail],
};

export function Protection({ manage: { protection } }: { manage: ManageState }) {
  const { t } = useTranslation();
  if (protection === undefined) return null;
  if (protection === 'good') {
    return (
      <small className="protection success">
        <ShieldIcon /> {t('manage.protected')}
      </small>
    );
  }
  const [words, path] = TO_DO[protection];
  return (
    <small className="protection warning">
      <WarningIcon /> <a href={path}>{t(words)}</a>
    </small>
  );
}
