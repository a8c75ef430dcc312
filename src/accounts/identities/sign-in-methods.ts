/** Decides whether a person can still sign in: with a password in Foyer or at a source, at a provider, or with a passkey. */
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';

/** A person cannot remove the last sign-in method of their account, or the provider that provisioned it. Nothing was changed. */
export class LastSignInMethod extends Error {
  constructor() {
    super('The last sign-in method of this account, or the provider that provisioned it, cannot be removed.');
    this.name = 'LastSignInMethod';
  }
}

/** Sign-in methods that the installation offers in addition to passwords. */
export interface OfferedMethods {
  providers: readonly string[];
  passkeys: boolean;
}

/** A transaction that removes a sign-in method calls this after the removal, while the account is locked, so that it can roll back. */
export async function canSignIn(
  accountId: string,
  { providers, passkeys }: OfferedMethods,
  trx: Transaction<Schema>,
): Promise<boolean> {
  const { rows } = await sql`
    select from password_credential where account_id = ${accountId}
    union all select from source_account where account_id = ${accountId} and position(':' in source) = 0
    union all select from external_identity where account_id = ${accountId} and provider = any(${[...providers]}::text[])
    union all select from passkey where account_id = ${accountId} and ${passkeys}
    limit 1`.execute(trx);
  return rows.length > 0;
}
