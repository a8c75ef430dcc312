/** Tells the browser which passkeys an account has (Web Authentication, level 3, section 5.1.10). */
import type { AcceptedPasskeysState } from '../../../src/contract/passkey-state.js';

/** Passkeys that were removed are no longer offered by this browser, and the others go by the account's present name. */
export async function signalPasskeys({
  rp_id: rpId,
  user_id: userId,
  accepted,
  ...account
}: AcceptedPasskeysState): Promise<void> {
  const api: Partial<typeof PublicKeyCredential> = 'PublicKeyCredential' in window ? window.PublicKeyCredential : {};
  try {
    await api.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds: [...accepted] });
    await api.signalCurrentUserDetails?.({ rpId, userId, name: account.name, displayName: account.display_name });
  } catch {
    // The browser does not want to know: the passkey is gone here either way.
  }
}
