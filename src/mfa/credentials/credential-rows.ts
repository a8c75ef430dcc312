/** What the tables of security keys and passkeys have in common: entries with names, which belong to an account. */
import type { Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { isAccountId } from '../../accounts/account/account.js';

type CredentialTable = 'passkey' | 'security_key';

export interface CredentialEntry {
  accountId: string;
  id: string;
}

/** @returns false if the account has no such entry */
export async function renameCredential(
  table: CredentialTable,
  { accountId, id, name }: CredentialEntry & { name: string },
  trx: Transaction<Schema>,
): Promise<boolean> {
  if (!isAccountId(id)) return false;
  const { numUpdatedRows } = await trx
    .updateTable(table)
    .set({ name })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** @returns the name of the removed entry; null if the account has no such entry */
export async function removeCredential(
  table: CredentialTable,
  { accountId, id }: CredentialEntry,
  trx: Transaction<Schema>,
): Promise<string | null> {
  if (!isAccountId(id)) return null;
  const row = await trx
    .deleteFrom(table)
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name ?? null;
}

export async function removeCredentials(table: CredentialTable, accountId: string, trx: Transaction<Schema>): Promise<void> {
  await trx.deleteFrom(table).where('account_id', '=', accountId).execute();
}
