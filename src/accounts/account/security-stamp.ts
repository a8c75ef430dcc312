/**
 * Whether the access to an account is still what it was when somebody was proven by other means than a password: nothing
 * may begin by a proof from before everything was ended (disabled, reset, another password, a provider disconnected).
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';

/** Of an account `a`; text, since a date of JavaScript is too coarse. */
export const SECURITY_STAMP = sql<string>`coalesce(extract(epoch from a.access_ended_at)::text, 'never')`;

/** The share lock makes whoever asks wait for a transaction that ends the access, and then see it. */
export function stampedOwner(of: { account: RawBuilder<string>; securityStamp: RawBuilder<string | null> }): RawBuilder<unknown> {
  return sql`
    select a.id from account a
    where a.id = ${of.account} and a.status = 'active' and (${of.securityStamp}::text is null or ${SECURITY_STAMP} = ${of.securityStamp}::text)
    for share`;
}

/** Part of changes that end what was begun with the account as it was. */
export async function endAccessOf(x: { accountId: string; now: RawBuilder<Date> }, trx: Transaction<Schema>): Promise<void> {
  await trx.updateTable('account').set({ access_ended_at: x.now }).where('id', '=', x.accountId).execute();
}
