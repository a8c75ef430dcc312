/** Enrols a security key (MAN-12): begin, username, browser, verify. */
import type { InitFido2Answer } from '../../../src/contract/rpc.js';
import type { Answer, CallFailure } from '../../browser/calls/call.js';
import { createCredential, type KeyAnswer } from '../../browser/calls/security-key.js';
import type { SetUpProps } from '../factor.js';

type Refused = Extract<KeyAnswer, { kind: 'failed' }>;

/** @returns null if the page is left */
export async function registerKey({
  begin,
  calls,
  confirm,
  replaces,
}: Pick<SetUpProps, 'begin' | 'calls' | 'confirm' | 'replaces'>): Promise<CallFailure | Refused | null> {
  const init = (await begin()) as Answer<InitFido2Answer>;
  if (init.kind === 'failed') return init;
  const account = await calls.get<{ username: string }>('/username');
  if (account.kind === 'failed') return account;
  const key = await createCredential(named(init.body.publicKey, account.body.username));
  if (key.kind === 'failed') return key;
  const { sessionId } = init.body;
  return confirm({ sessionId, credentialJson: JSON.stringify(key.credential), ...(replaces && { replaces }) });
}

/** The key and the browser list the account under this name. */
function named(publicKey: { user?: object }, name: string): object {
  return { ...publicKey, user: { ...publicKey.user, name } };
}
