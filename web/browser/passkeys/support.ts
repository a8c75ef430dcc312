/** What this browser can do about passkeys beside using one (Web Authentication, level 3, section 5.1.7). */
import type { PasskeyCreation } from '../../../src/contract/passkey-state.js';

type Api = Partial<typeof PublicKeyCredential>;

/** @returns null where no passkey can be made on this device, or the browser does not say */
export async function passkeyCreation(): Promise<PasskeyCreation | null> {
  // On plain http to another host the browser hides the interface.
  const api: Api | undefined = window.isSecureContext && 'PublicKeyCredential' in window ? window.PublicKeyCredential : undefined;
  try {
    const can = await api?.getClientCapabilities?.();
    const here = can?.['userVerifyingPlatformAuthenticator'] ?? (await api?.isUserVerifyingPlatformAuthenticatorAvailable?.());
    if (here !== true) return null;
    return can?.['conditionalCreate'] === true ? 'unasked' : 'asked';
  } catch {
    return null;
  }
}
