import type { Amr } from '../../contract/authentication.js';

/**
 * RFC 8176, section 2, and OpenID Connect EAP ACR Values 1.0. Presence is always tested. A key that may be backed up is on no
 * single device. `pin`: WebAuthn does not say whether it was a PIN or a biometric.
 */
export function methodsOf({ backupEligible, userVerified }: { backupEligible: boolean; userVerified: boolean }): readonly Amr[] {
  return [backupEligible ? 'swk' : 'hwk', 'pop', 'user', ...(userVerified ? (['pin'] as const) : [])];
}
