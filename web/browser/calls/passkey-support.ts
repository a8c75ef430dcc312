/** What this browser can do about passkeys beside using one (Web Authentication, level 3, sections 5.1.7 and 5.1.10). */
import type { AcceptedPasskeysState } from '../../../src/contract/passkey-state.js';

/** `unasked`: also without a question, right after a password (`conditionalCreate`). */
export type PasskeyCreation = 'asked' | 'unasked';

type Api = Partial<typeof PublicKeyCredential>;

/** @returns null where no passkey can be made on this device, or the browser does not say */
export async function passkeyCreation(): Promise<PasskeyCreation | null> {
  const api = credentialApi();
  try {
    const can = await api?.getClientCapabilities?.();
    const here = can?.['userVerifyingPlatformAuthenticator'] ?? (await api?.isUserVerifyingPlatformAuthenticatorAvailable?.());
    if (here !== true) return null;
    return can?.['conditionalCreate'] === true ? 'unasked' : 'asked';
  } catch {
    return null;
  }
}

/** Passkeys that were removed are no longer offered by this browser, and the others go by the account's present name. */
export async function signalPasskeys({
  rp_id: rpId,
  user_id: userId,
  accepted,
  name,
  display_name,
}: AcceptedPasskeysState): Promise<void> {
  const api = credentialApi();
  const signals = [
    api?.signalAllAcceptedCredentials?.({ rpId, userId, allAcceptedCredentialIds: [...accepted] }),
    api?.signalCurrentUserDetails?.({ rpId, userId, name, displayName: display_name }),
  ];
  // A browser that refuses one says so to nobody: the passkey is gone here either way.
  await Promise.allSettled(signals);
}

/** On plain http to another host the browser hides the interface. */
function credentialApi(): Api | undefined {
  return window.isSecureContext && 'PublicKeyCredential' in window ? window.PublicKeyCredential : undefined;
}
