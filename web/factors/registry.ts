/** The only list of the kinds of second factor for the pages, in display order. */
import type { BrowserFactor, SetUpParts } from './factor.js';
import { RECOVERY_CODES } from './recovery-codes/recovery-codes.js';
import { TOTP } from './totp/totp.js';
import { WEBAUTHN } from './webauthn/webauthn.js';

export const FACTORS: readonly BrowserFactor[] = [TOTP, WEBAUTHN, RECOVERY_CODES];

/** A kind that people set up themselves. */
export type EnrollableFactor = BrowserFactor & { setUp: SetUpParts };

export function factorNamed(name: string): BrowserFactor | undefined {
  return FACTORS.find((factor) => factor.name === name);
}

export function enrollableNamed(name: string): EnrollableFactor | undefined {
  return FACTORS.filter(isEnrollable).find((factor) => factor.name === name);
}

export function isEnrollable(factor: BrowserFactor): factor is EnrollableFactor {
  return factor.setUp !== undefined;
}
