/**
 * What an account has, from the counts of the view `account_factor`. The only place that decides whether that is a second
 * factor: recovery codes and passkeys do not count. A kind that only a newer version knows counts, because during a rolling upgrade an older
 * gateway must not sign anybody in without it, nor remove or replace what belongs to it.
 */
import type { FactorCounts } from '../accounts/account/factor-counts.js';
import type { ProofKind } from './factor.port.js';
import { PASSKEY } from './factors/passkey/passkey.kind.js';
import { RECOVERY } from './recovery-codes/recovery-codes.kind.js';

export function toCount(counts: FactorCounts, { folder }: Pick<ProofKind, 'folder'>): number {
  return counts[folder] ?? 0;
}

const NO_SECOND_FACTORS: readonly string[] = [RECOVERY.folder, PASSKEY.folder];

/** Number of second factors of all kinds. */
export function factorsIn(counts: FactorCounts): number {
  return Object.entries(counts).reduce((sum, [kind, count]) => (NO_SECOND_FACTORS.includes(kind) ? sum : sum + count), 0);
}

export function hasFactor(counts: FactorCounts): boolean {
  return factorsIn(counts) > 0;
}

/** A second factor, or a passkey: where a factor is wanted, nobody may set up another one in place of it (docs/security.md D6). */
export function canVerify(counts: FactorCounts): boolean {
  return hasFactor(counts) || toCount(counts, PASSKEY) > 0;
}

/** People sign in with a passkey alone: it is not a second factor, and nobody gets recovery codes with it (decision 0051). */
export function isSecondFactor({ folder }: Pick<ProofKind, 'folder'>): boolean {
  return !NO_SECOND_FACTORS.includes(folder);
}

/** By the name of a kind. */
export function isRecovery(name: string): boolean {
  return name === RECOVERY.name;
}

export function recoveryCodesLeft(counts: FactorCounts): number {
  return toCount(counts, RECOVERY);
}
