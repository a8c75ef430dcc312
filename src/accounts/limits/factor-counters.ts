/**
 * Keys of the counters of second factors, for failures and for mails, and of the mails that prove a new address. Each kind of factor has
 * counters separate from the password counters.
 */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Keys } from '../../config/keys.js';
import type { Schema } from '../../database/schema.js';

/** @param counter a kind of factor, its set-up, or a kind of mail (`FactorMail`) */
export function toFactorCounter(keys: Keys, counter: string, accountId: string): string {
  return `${toAccountPrefix(keys, accountId)}${counter}`;
}

/** Condition that matches all counters of an account that `toFactorCounter` names. */
export function isFactorCounter(keys: Keys, accountId: string): RawBuilder<boolean> {
  const prefix = toAccountPrefix(keys, accountId);
  // A range lets PostgreSQL use the primary key: `;` is the character after `:`.
  return sql<boolean>`(key >= ${prefix} and key < ${prefix.replace(/:$/, ';')})`;
}

/**
 * Deletes counters: when an operator unlocks the account, when factors are removed, reset or replaced, or when the account is deleted.
 * @param counters default: all counters that `toFactorCounter` names for the account
 * @returns whether a deleted counter had counted something
 */
export async function clearFactorCounters(
  keys: Keys,
  { accountId, counters }: { accountId: string; counters?: readonly string[] },
  trx: Transaction<Schema>,
): Promise<boolean> {
  if (counters?.length === 0) return false;
  const deletion = trx.deleteFrom('attempt_counter');
  const query = counters
    ? deletion.where(
        'key',
        'in',
        counters.map((counter) => toFactorCounter(keys, counter, accountId)),
      )
    : deletion.where(isFactorCounter(keys, accountId));
  return (await query.returning(['failures', 'pending']).execute()).some(hasCounted);
}

/** Whether a counter has failures, or attempts that are being checked and may fail. */
export function hasCounted({ failures, pending }: { failures: number; pending: number }): boolean {
  return failures > 0 || pending > 0;
}

function toAccountPrefix(keys: Keys, accountId: string): string {
  return `f:${keys.mac('limits', `factor\n${accountId}`)}:`;
}
