/** Locks an account until the transaction ends, so that concurrent changes run one after the other. */
import type { Transaction } from 'kysely';
import type { AccountRow, Schema } from '../../database/schema.js';

type LockedAccount = Pick<AccountRow, 'username' | 'username_key' | 'email_key' | 'status'>;

export async function lockAccount(accountId: string, trx: Transaction<Schema>): Promise<LockedAccount | undefined> {
  return trx
    .selectFrom('account')
    .select(['username', 'username_key', 'email_key', 'status'])
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
}

/** @returns null if the account is not active */
export async function lockActive(accountId: string, trx: Transaction<Schema>): Promise<LockedAccount | null> {
  const account = await lockAccount(accountId, trx);
  return account?.status === 'active' ? account : null;
}
