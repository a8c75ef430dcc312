/** An id of a credential belongs to one account and one kind of credential (WebAuthn Level 3, section 7.1, step 26). */
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';

/**
 * Locks the id until the end of the transaction, against a registration of the other kind at the same time.
 * @returns false if an account has it
 */
export async function isFreeCredentialId(credentialId: string, trx: Transaction<Schema>): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${credentialId}, 26))`.execute(trx);
  const { rows } = await sql`
    select 1 from security_key where credential_id = ${credentialId}
    union all select 1 from passkey where credential_id = ${credentialId}`.execute(trx);
  return rows.length === 0;
}
