import { useTranslation } from 'react-i18next';
import type { ConfirmProps, VerifyProps } from '../factor.js';
import { ConfirmByCredential } from '../webauthn/confirm.js';
import { VerifyCredential } from '../webauthn/verify.js';
import { PASSKEY_CREDENTIAL } from './passkey-prompt.js';

export const VerifyPasskey = (props: VerifyProps) => <VerifyCredential {...props} kind={PASSKEY_CREDENTIAL} />;

/** If the passkey is the only method, the page names who can help. */
export function ConfirmByPasskey(props: ConfirmProps) {
  const { t } = useTranslation();
  const { methods } = props.state.manage_confirm;
  return (
    <>
      <ConfirmByCredential {...props} kind={PASSKEY_CREDENTIAL} />
      {methods.length === 1 && <p className="quiet-text small">{t('confirm.passkey_lost')}</p>}
    </>
  );
}
