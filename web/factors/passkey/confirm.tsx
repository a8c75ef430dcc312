/** A fresh proof with a passkey, by RPC calls; then the page of the change opens. */
import { useTranslation } from 'react-i18next';
import type { AssertionOptionsAnswer } from '../../../src/contract/rpc.js';
import { leaveFor } from '../../browser/address.js';
import { getAssertion } from '../../browser/calls/security-key.js';
import { CancelLink } from '../../ui/account/cancel-link.js';
import { useRpcClient } from '../../ui/account/manage-frame.js';
import type { ConfirmProps } from '../factor.js';
import { KeyStep } from '../webauthn/key-step.js';
import { PASSKEY_LOOKS } from './passkey-prompt.js';

export function ConfirmByPasskey({ state, others }: ConfirmProps) {
  const { t } = useTranslation();
  const { error, methods, next } = state.manage_confirm;
  const calls = useRpcClient(state, next);
  const ask = async () => {
    const options = await calls.post<AssertionOptionsAnswer>('/proof/init-passkey');
    if (options.kind === 'failed') return options;
    const passkey = await getAssertion(options.body.publicKey);
    if (passkey.kind === 'failed') return passkey;
    const answer = await calls.post('/proof/verify-passkey', passkey.credential);
    return answer.kind === 'failed' ? answer : leaveFor(next);
  };
  return (
    <>
      <KeyStep
        looks={PASSKEY_LOOKS}
        ask={ask}
        error={error}
        withoutScript={t(methods.length > 1 ? 'confirm.key_instead' : 'confirm.key_only')}
        abort={<CancelLink />}
        others={others}
      />
      {methods.length === 1 && <p className="quiet-text small">{t('confirm.passkey_lost')}</p>}
    </>
  );
}
