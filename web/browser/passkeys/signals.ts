/** Reports to the browser which passkeys an account has (Web Authentication, level 3, section 5.1.10). */
import type { AcceptedPasskeysState } from '../../../src/contract/passkey-state.js';

/** The signals ask the browser to stop offering removed passkeys, and to show the others under the current name of the account. */
export async function signalPasskeys({
  rp_id: rpId,
  user_id: userId,
  accepted,
  ...account
}: AcceptedPasskeysState): Promise<void> {
  const api: Partial<typeof PublicKeyCredential> = 'PublicKeyCredential' in window ? window.PublicKeyCredential : {};
  const signals = [
    () => api.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds: [...accepted] }),
    () => api.signalCurrentUserDetails?.({ rpId, userId, name: account.name, displayName: account.display_name }),
  ];
  // Failures are ignored: the server refuses a removed passkey in any case.
  await Promise.allSettled(signals.map(async (send) => send()));
}
