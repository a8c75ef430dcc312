/** Asks for a fresh proof with a security key or a passkey, by RPC calls. Afterwards the page that requires the proof opens. */
import { useTranslation } from 'react-i18next';
import type { AssertionOptionsAnswer } from '../../../src/contract/rpc.js';
import { leaveFor } from '../../browser/address.js';
import { getAssertion } from '../../browser/calls/security-key.js';
import { useRpcClient } from '../../ui/account/manage-frame.js';
import type { ConfirmProps } from '../factor.js';
import { KeyStep, type CredentialKind } from './key-step.js';

export function ConfirmByCredential({ state, otherLinks, kind }: ConfirmProps & { kind: CredentialKind }) {
  const { t } = useTranslation();
  const { error, methods, next } = state.manage_confirm;
  const calls = useRpcClient(state, next);
  const ask = async () => {
    const options = await calls.post<AssertionOptionsAnswer>(`/proof/init-${kind.factor}`);
    if (options.kind === 'failed') return options;
    const key = await getAssertion(options.body.publicKey);
    if (key.kind === 'failed') return key;
    const answer = await calls.post(`/proof/verify-${kind.factor}`, key.credential);
    return answer.kind === 'failed' ? answer : leaveFor(next);
  };
  return (
    <KeyStep
      kind={kind}
      ask={ask}
      error={error}
      scriptAdvice={t(methods.length > 1 ? 'confirm.key_instead' : 'confirm.key_only')}
      otherLinks={otherLinks}
    />
  );
}
