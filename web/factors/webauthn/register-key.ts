/** Enrols a security key (MAN-12): begins, reads the username, asks the browser for a credential, and lets the server verify it. */
import type { InitFido2Answer } from '../../../src/contract/rpc.js';
import type { Answer, CallFailure } from '../../browser/calls/call.js';
import { createCredential, type KeyAnswer } from '../../browser/calls/security-key.js';
import type { SetUpProps } from '../factor.js';

type CredentialFailure = Extract<KeyAnswer, { kind: 'failed' }>;

/** @returns null if another page or view opens */
export async function registerKey({
  begin,
  calls,
  confirm,
  replaces,
}: Pick<SetUpProps, 'begin' | 'calls' | 'confirm' | 'replaces'>): Promise<CallFailure | CredentialFailure | null> {
  const init = (await begin()) as Answer<InitFido2Answer>;
  if (init.kind === 'failed') return init;
  const account = await calls.get<{ username: string }>('/username');
  if (account.kind === 'failed') return account;
  const key = await createCredential(setUserName(init.body.publicKey, account.body.username));
  if (key.kind === 'failed') return key;
  const { sessionId } = init.body;
  return confirm({ sessionId, credentialJson: JSON.stringify(key.credential), ...(replaces && { replaces }) });
}

/** Sets the name under which the key and the browser list the account. */
function setUserName(publicKey: { user?: object }, name: string): object {
  return { ...publicKey, user: { ...publicKey.user, name } };
}
