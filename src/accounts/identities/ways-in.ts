/** Whether somebody can still sign in: with a password here or at a source, at a provider, or with a passkey. */
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';

/** The last way to sign in to the account has to stay. Nothing has changed. */
export class LastSignInMethod extends Error {
  constructor() {
    super('The last way to sign in to this account has to stay.');
    this.name = 'LastSignInMethod';
  }
}

/** Ways that the installation offers now, beside passwords. */
export interface OfferedWays {
  providers: readonly string[];
  passkeys: boolean;
}

/** Runs in transactions that take a way away, after they did, with the account locked. */
export async function canSignIn(
  accountId: string,
  { providers, passkeys }: OfferedWays,
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
