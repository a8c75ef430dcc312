/**
 * SQL that counts an account's second factors, recovery codes and passkeys by kind, or tells whether there is a second factor.
 */
import { sql, type RawBuilder } from 'kysely';

/** Number of factors of each kind; kinds that the account does not have are omitted. */
export type FactorCounts = Readonly<Record<string, number>>;

/** Recovery codes and passkeys are not second factors: their `since` in the view `account_factor` is null. */
export function hasSecondFactor(accountId: RawBuilder<unknown>): RawBuilder<boolean> {
  // Reads all rows of the account: to find only the first row, PostgreSQL would read whole tables.
  return sql<boolean>`
    coalesce((select bool_or(f.since is not null) from account_factor f where f.account_id = ${accountId}), false)`;
}

/** @param accountId a column of the enclosing statement, or a value */
export function countFactorsSql(accountId: RawBuilder<unknown>): RawBuilder<FactorCounts> {
  return sql<FactorCounts>`
    (select coalesce(jsonb_object_agg(f.kind, f.count), '{}') from account_factor f where f.account_id = ${accountId})`;
}
