/** Finds out whether and how this browser can create passkeys (Web Authentication, level 3, section 5.1.7). */
import type { PasskeyCreation } from '../../../src/contract/passkey-state.js';

type Api = Partial<typeof PublicKeyCredential>;

/** @returns null if no passkey can be created on this device, or if the browser does not report whether one can */
export async function findPasskeyCreation(): Promise<PasskeyCreation | null> {
  // Over plain http, except on localhost, browsers do not offer WebAuthn.
  const api: Api | undefined = window.isSecureContext && 'PublicKeyCredential' in window ? window.PublicKeyCredential : undefined;
  try {
    const capabilities = await api?.getClientCapabilities?.();
    const isPossible =
      capabilities?.['userVerifyingPlatformAuthenticator'] ?? (await api?.isUserVerifyingPlatformAuthenticatorAvailable?.());
    if (isPossible !== true) return null;
    return capabilities?.['conditionalCreate'] === true ? 'unasked' : 'asked';
  } catch {
    return null;
  }
}
