/**
 * When an account got its present person. A SCIM source may give an account to another person, who must not see what belongs to the
 * person before: everything that people see about themselves begins at this moment. Operators see everything.
 */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';

/** The times of everything that belongs to the present person are later than this time. */
export function presentPersonSinceSql(accountId: unknown): RawBuilder<Date> {
  return sql<Date>`coalesce((select a.present_person_since from account a where a.id = ${accountId}::uuid), '-infinity')`;
}

/**
 * The account belongs to another person from now on. This is the last write of a transaction that has locked the account: what the person
 * before did until now is hidden. `now` is the time at which the transaction began.
 */
export async function beginPresentPerson(
  { accountId, now }: { accountId: string; now: RawBuilder<Date> },
  trx: Transaction<Schema>,
): Promise<void> {
  const present_person_since = sql<Date>`${now} + (clock_timestamp() - now())`;
  await trx.updateTable('account').set({ present_person_since }).where('id', '=', accountId).execute();
}
