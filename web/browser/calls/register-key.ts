/** Enrols a security key (MAN-12): begin, username, browser, verify. */
import type { FactorAddedAnswer, InitFido2Answer } from '../../../src/contract/rpc.js';
import type { RpcClient } from './rpc-client.js';
import type { Answer } from './call.js';
import { createCredential } from './security-key.js';
import type { KeyAnswer } from './security-key.js';

type Refused = Extract<KeyAnswer, { kind: 'failed' }>;

/** @param replaces id of the key that the new one replaces */
export async function registerKey(calls: RpcClient, replaces?: string): Promise<Answer<FactorAddedAnswer> | Refused> {
  const init = await calls.post<InitFido2Answer>('/mfa-init-fido2');
  if (init.kind === 'failed') return init;
  const account = await calls.get<{ username: string }>('/username');
  if (account.kind === 'failed') return account;
  const key = await createCredential(named(init.body.publicKey, account.body.username));
  if (key.kind === 'failed') return key;
  const { sessionId } = init.body;
  const credentialJson = JSON.stringify(key.credential);
  return calls.post<FactorAddedAnswer>('/mfa-verify-fido2', { sessionId, credentialJson, ...(replaces && { replaces }) });
}

/** Under this name the key and the browser list the account. */
function named(publicKey: { user?: object }, name: string): object {
  return { ...publicKey, user: { ...publicKey.user, name } };
}
