/** Keys of the counters of wrong second factor codes: one for each kind of factor, separate from passwords. */
import type { Transaction } from 'kysely';
import type { Keys } from '../../config/keys.js';
import type { Schema } from '../../database/schema.js';

/** `totp-setup`: wrong codes during the set-up of an authenticator app; they do not delay sign-ins. */
const COUNTED_FACTORS = ['totp', 'totp-setup', 'fido2', 'recovery'] as const;

export type CountedFactor = (typeof COUNTED_FACTORS)[number];

export function factorCounter(keys: Keys, factor: CountedFactor, accountId: string): string {
  return `f:${keys.mac('limits', `${factor}\n${accountId}`)}`;
}

export function factorCounters(keys: Keys, accountId: string, of: readonly CountedFactor[] = COUNTED_FACTORS): string[] {
  return of.map((factor) => factorCounter(keys, factor, accountId));
}

/**
 * Deletes counters, when an operator unlocks the account or when the factor was removed.
 * @param of the kinds; default: all
 * @returns number of deleted counters
 */
export async function clearFactorCounters(
  keys: Keys,
  { accountId, of = COUNTED_FACTORS }: { accountId: string; of?: readonly CountedFactor[] },
  trx: Transaction<Schema>,
): Promise<number> {
  const counters = factorCounters(keys, accountId, of);
  const { numDeletedRows } = await trx.deleteFrom('attempt_counter').where('key', 'in', counters).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
