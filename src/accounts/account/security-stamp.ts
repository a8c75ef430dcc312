/**
 * The security stamp is the time at which all access to an account last ended, for example because the account was disabled, a
 * password was set or a provider was disconnected. A proof from before that time cannot start a session.
 */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { accountColumns } from './account.js';

/** SQL of the stamp of an account `a`. The stamp is a text, because a JavaScript date is less precise. */
export const SECURITY_STAMP = sql<string>`coalesce(extract(epoch from a.access_ended_at)::text, 'never')`;

/**
 * Selects the columns of an active account, and locks the account. If a stamp is given, it must not have changed. The share lock
 * waits for a transaction that ends the access and then sees its result.
 */
export function lockOwnerSql(proof: {
  account: RawBuilder<string>;
  securityStamp: RawBuilder<string | null>;
}): RawBuilder<unknown> {
  return sql`
    select ${accountColumns('a')} from account a
    where a.id = ${proof.account} and a.status = 'active' and (${proof.securityStamp}::text is null or ${SECURITY_STAMP} = ${proof.securityStamp}::text)
    for share`;
}

/**
 * Sets the stamp to the current time and discards the help desk check. Runs in a transaction that ends everything that was begun
 * before.
 */
export async function endAccess(
  { accountId, now }: { accountId: string; now: RawBuilder<Date> },
  trx: Transaction<Schema>,
): Promise<void> {
  await trx.updateTable('account').set({ access_ended_at: now }).where('id', '=', accountId).execute();
  await discardSupportCheck(accountId, trx);
}

/** Discards the help desk check of the account, open or passed: the person who read out the words may be the person who loses access. */
export async function discardSupportCheck(accountId: string, trx: Transaction<Schema>): Promise<void> {
  await trx.deleteFrom('support_check').where('account_id', '=', accountId).execute();
}
