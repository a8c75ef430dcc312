/** Enrolment of a security key, in the account area or during a login; it starts automatically (MAN-12, MFV-2). */
import { useTranslation } from 'react-i18next';
import type { SetUpProps } from '../factor.js';
import { CancelLink } from '../../ui/account/cancel-link.js';
import { KeyStep, SECURITY_KEY } from './key-step.js';
import { registerKey } from './register-key.js';

export function SetUpKey(props: SetUpProps) {
  const { t } = useTranslation();
  const { error, replaces, other, instead } = props;
  const alternative = !replaces && instead && (
    <>
      {t('factor.key_instead')} {instead}
    </>
  );
  return (
    <KeyStep
      kind={SECURITY_KEY}
      ask={() => registerKey(props)}
      error={error}
      withoutScript={other ? t('mfa.key_enrol_instead') : alternative}
      abort={other ? null : <CancelLink />}
      others={other}
    />
  );
}
