/** Statements that are the same for the tables of security keys and passkeys, whose rows have a name and belong to an account. */
import { sql, type Transaction } from 'kysely';
import { isAccountId } from '../accounts/account/account.js';
import type { Schema } from '../database/schema.js';

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

/**
 * A credential id belongs to one account and one kind of credential (WebAuthn Level 3, section 7.1, step 26). Locks the id until
 * the end of the transaction, so that a concurrent registration of the other kind cannot take it.
 * @returns false if an account has the id
 */
export async function isFreeCredentialId(credentialId: string, trx: Transaction<Schema>): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${credentialId}, 26))`.execute(trx);
  const { rows } = await sql`
    select 1 from security_key where credential_id = ${credentialId}
    union all select 1 from passkey where credential_id = ${credentialId}`.execute(trx);
  return rows.length === 0;
}
