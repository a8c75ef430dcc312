/** Tells whether and how this browser can create passkeys (Web Authentication, level 3, section 5.1.7). */
import type { PasskeyCreation } from '../../../src/contract/passkey-state.js';

type Api = Partial<typeof PublicKeyCredential>;

/** @returns null if no passkey can be created on this device, or the browser does not tell */
export async function passkeyCreation(): Promise<PasskeyCreation | null> {
  // Over plain http, except on localhost, browsers do not offer WebAuthn.
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
