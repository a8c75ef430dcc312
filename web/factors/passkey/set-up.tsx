/** Registers a passkey in the account area; the registration starts automatically unless the page shows an error. */
import { useTranslation } from 'react-i18next';
import type { InitPasskeyAnswer } from '../../../src/contract/rpc.js';
import type { Answer } from '../../browser/calls/call.js';
import { createCredential } from '../../browser/calls/security-key.js';
import { CancelLink } from '../../ui/account/cancel-link.js';
import type { SetUpProps } from '../factor.js';
import { KeyStep } from '../webauthn/key-step.js';
import { PASSKEY_CREDENTIAL } from './passkey-prompt.js';

export function SetUpPasskey({ begin, confirm, error, linkWithoutScript }: SetUpProps) {
  const { t } = useTranslation();
  const ask = async () => {
    const init = (await begin()) as Answer<InitPasskeyAnswer>;
    if (init.kind === 'failed') return init;
    const { sessionId, publicKey } = init.body;
    const passkey = await createCredential(publicKey);
    if (passkey.kind === 'failed') return passkey;
    return confirm({ sessionId, credentialJson: JSON.stringify(passkey.credential) });
  };
  return (
    <KeyStep
      kind={PASSKEY_CREDENTIAL}
      ask={ask}
      error={error}
      scriptAdvice={
        linkWithoutScript && (
          <>
            {t('factor.key_instead')} {linkWithoutScript}
          </>
        )
      }
      cancelLink={<CancelLink />}
    />
  );
}
