/**
 * Describes passkeys to the steps that they share with security keys: the texts, and the view shown while the browser asks for a
 * passkey, with a picture of a device with a person and a key.
 */
import { useTranslation } from 'react-i18next';
import type { CredentialKind } from '../webauthn/key-step.js';
import '../../styles/account.css';

function PasskeyPrompt() {
  const { t } = useTranslation();
  return (
    <div className="key-prompt needs-script">
      <svg viewBox="0 0 112 48" aria-hidden="true">
        <rect className="body" x="30" y="3" width="27" height="42" rx="6" />
        <circle cx="43.5" cy="17" r="5" />
        <path d="M35 33a8.5 8.5 0 0 1 17 0M41 40h5" />
        <circle cx="71" cy="24" r="8" />
        <circle className="knob" cx="71" cy="24" r="4" />
        <path d="M79 24h16v6M89 24v5" />
      </svg>
      <p role="status">{t('factor.waiting_passkey')}</p>
    </div>
  );
}

export const PASSKEY_CREDENTIAL: CredentialKind = {
  factor: 'passkey',
  prompt: <PasskeyPrompt />,
  scriptMessage: 'factor.passkey_script',
  text: 'factor.passkey_proof',
};
