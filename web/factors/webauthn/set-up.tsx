/**
 * Enrols a security key, in the account area or during a sign-in. The enrolment starts automatically unless the page shows an error
 * (MAN-12, MFV-2).
 */
import { useTranslation } from 'react-i18next';
import type { SetUpProps } from '../factor.js';
import { CancelLink } from '../../ui/account/cancel-link.js';
import { KeyStep, SECURITY_KEY } from './key-step.js';
import { registerKey } from './register-key.js';

export function SetUpKey(props: SetUpProps) {
  const { t } = useTranslation();
  const { error, replaces, otherLink, linkWithoutScript } = props;
  const alternative = !replaces && linkWithoutScript && (
    <>
      {t('factor.key_instead')} {linkWithoutScript}
    </>
  );
  return (
    <KeyStep
      kind={SECURITY_KEY}
      ask={() => registerKey(props)}
      error={error}
      scriptAdvice={otherLink ? t('mfa.key_enrol_instead') : alternative}
      cancelLink={otherLink ? null : <CancelLink />}
      otherLinks={otherLink}
    />
  );
}
