/** Under which keys the wrong codes of second factors are counted: each kind by itself, and none with the passwords. */
import type { Transaction } from 'kysely';
import type { Keys } from '../../config/keys.js';
import type { Schema } from '../../database/schema.js';

/** `totp-setup`: wrong codes while an authenticator app is set up; they hold up nobody's sign-in. */
const COUNTED_FACTORS = ['totp', 'totp-setup', 'fido2', 'recovery'] as const;

export type CountedFactor = (typeof COUNTED_FACTORS)[number];

export function factorCounter(keys: Keys, factor: CountedFactor, accountId: string): string {
  return `f:${keys.mac('limits', `${factor}\n${accountId}`)}`;
}

export function factorCounters(keys: Keys, accountId: string, of: readonly CountedFactor[] = COUNTED_FACTORS): string[] {
  return of.map((factor) => factorCounter(keys, factor, accountId));
}

/**
 * Forgets failures: when an operator opens the account, or when what could be guessed is gone.
 * @param of the kinds; all of them unless told
 * @returns how many counters went
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
