/** Counts an account's second factors by kind, from a view. `src/mfa` defines the kinds. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** Number of factors of each kind; kinds that the account does not have are omitted. */
export type FactorCounts = Readonly<Record<string, number>>;

/** @param accountId a column of the enclosing statement, or a value */
export function factorCounts(accountId: RawBuilder<unknown>): RawBuilder<FactorCounts> {
  return sql<FactorCounts>`
    (select coalesce(jsonb_object_agg(f.kind, f.count), '{}') from account_factor f where f.account_id = ${accountId})`;
}
