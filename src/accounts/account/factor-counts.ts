/** Which second factors accounts have, from the view that counts them by kind. What a kind means is `src/mfa`'s to know. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** How many of each kind; kinds that the account does not have are left out. */
export type FactorCounts = Readonly<Record<string, number>>;

/** @param accountId a column of the statement around, or a value */
export function factorCounts(accountId: RawBuilder<unknown>): RawBuilder<FactorCounts> {
  return sql<FactorCounts>`
    (select coalesce(jsonb_object_agg(f.kind, f.count), '{}') from account_factor f where f.account_id = ${accountId})`;
}
