/** All kinds of second factor that the pages can show, in the order of the second step. The pages have no list of their own. */
import { EMAIL_CODE } from './email-code/email-code.js';
import type { BrowserFactor, SetUpParts } from './factor.js';
import { PASSKEY } from './passkey/passkey.js';
import { RECOVERY_CODES } from './recovery-codes/recovery-codes.js';
import { TOTP } from './totp/totp.js';
import { WEBAUTHN } from './webauthn/webauthn.js';

export const FACTORS: readonly BrowserFactor[] = [TOTP, WEBAUTHN, PASSKEY, EMAIL_CODE, RECOVERY_CODES];

/** A kind of factor that people set up themselves. */
export type EnrollableFactor = BrowserFactor & { setUp: SetUpParts };

export function findFactor(name: string): BrowserFactor | undefined {
  return FACTORS.find((factor) => factor.name === name);
}

export function findEnrollable(name: string): EnrollableFactor | undefined {
  return FACTORS.filter(isEnrollable).find((factor) => factor.name === name);
}

export function isEnrollable(factor: BrowserFactor): factor is EnrollableFactor {
  return factor.setUp !== undefined;
}
