/**
 * Reads which factors an account has from the counts of the view `account_factor`. Recovery codes and passkeys are not second
 * factors. A kind that only a newer version supports counts as a second factor, because during a rolling upgrade an older gateway
 * must neither sign anybody in without that factor, nor remove or replace it.
 */
import type { FactorCounts } from '../accounts/account/factor-counts.js';
import type { ProofKind } from './factor.port.js';
import { EMAIL_CODE } from './factors/email-code/email-code.kind.js';
import { PASSKEY } from './factors/passkey/passkey.kind.js';
import { RECOVERY } from './recovery-codes/recovery-codes.kind.js';

export function toCount(counts: FactorCounts, { folder }: Pick<ProofKind, 'folder'>): number {
  return counts[folder] ?? 0;
}

const NOT_SECOND_FACTORS: readonly string[] = [RECOVERY.folder, PASSKEY.folder];

/** @returns the number of second factors of all kinds */
export function countFactors(counts: FactorCounts): number {
  return Object.entries(counts).reduce((sum, [kind, count]) => (NOT_SECOND_FACTORS.includes(kind) ? sum : sum + count), 0);
}

export function hasFactor(counts: FactorCounts): boolean {
  return countFactors(counts) > 0;
}

/**
 * Whether the account has a second factor or a passkey. If a sign-in requires a factor, such an account has to prove it and may
 * not set up a new one instead (docs/security.md D6).
 * @param usesPasskeys false if passkeys are turned off: stored passkeys are then ignored
 */
export function canVerify(counts: FactorCounts, usesPasskeys = true): boolean {
  return hasFactor(counts) || (usesPasskeys && toCount(counts, PASSKEY) > 0);
}

/**
 * A passkey is not a second factor, because people sign in with it alone, and it comes without recovery codes (decision 0051).
 */
export function isSecondFactor({ folder }: Pick<ProofKind, 'folder'>): boolean {
  return !NOT_SECOND_FACTORS.includes(folder);
}

/** @param name the name of a kind of factor */
export function isRecovery(name: string): boolean {
  return name === RECOVERY.name;
}

/** The kinds that sign in alone and are stronger than a mailed code, as the names of their folders. */
export const KINDS_WITHOUT_PASSWORD: readonly string[] = [PASSKEY.folder];

/** The second factors whose codes are mailed, as the names of their folders. */
export const MAILED_FACTORS: readonly string[] = [EMAIL_CODE.folder];

export function removeMailedCodes(counts: FactorCounts): FactorCounts {
  return Object.fromEntries(Object.entries(counts).filter(([kind]) => !MAILED_FACTORS.includes(kind)));
}

export function countRecoveryCodes(counts: FactorCounts): number {
  return toCount(counts, RECOVERY);
}
