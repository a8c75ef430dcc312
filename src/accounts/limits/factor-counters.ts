/** Keys of the counters of second factors: failures, and mails. Each kind has its own, separate from the password counters. */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Keys } from '../../config/keys.js';
import type { Schema } from '../../database/schema.js';

/** @param counter a kind of factor, its set-up, or its mails */
export function factorCounter(keys: Keys, counter: string, accountId: string): string {
  return `${accountPart(keys, accountId)}${counter}`;
}

/** Condition for all counters of an account, of any kind. */
export function isFactorCounter(keys: Keys, accountId: string): RawBuilder<boolean> {
  const part = accountPart(keys, accountId);
  // A range, so that the primary key is used: `;` is the character after `:`.
  return sql<boolean>`(key >= ${part} and key < ${part.replace(/:$/, ';')})`;
}

/**
 * Deletes counters, when an operator unlocks the account or when the factor was removed.
 * @param counters default: all of the account
 * @returns number of deleted counters
 */
export async function clearFactorCounters(
  keys: Keys,
  { accountId, counters }: { accountId: string; counters?: readonly string[] },
  trx: Transaction<Schema>,
): Promise<number> {
  if (counters?.length === 0) return 0;
  const deletion = trx.deleteFrom('attempt_counter');
  const chosen = counters
    ? deletion.where(
        'key',
        'in',
        counters.map((counter) => factorCounter(keys, counter, accountId)),
      )
    : deletion.where(isFactorCounter(keys, accountId));
  return Number((await chosen.executeTakeFirstOrThrow()).numDeletedRows);
}

function accountPart(keys: Keys, accountId: string): string {
  return `f:${keys.mac('limits', `factor\n${accountId}`)}:`;
}
