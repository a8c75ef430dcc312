/** The user source, the SCIM source, or the provider that provisions accounts, to which an account belongs. */
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.js';
import type { AccountFields } from './account.js';

/** The account of a sign-in, and the values with which its source is queried; they are null if there is no source. */
export interface LinkedCandidate extends AccountFields {
  source: string | null;
  source_subject: string | null;
  source_profile: string | null;
  security_stamp: string;
  /**
   * Whether the credentials are frozen (`credential-freeze.ts`), so that the account is refused if its source is queried. Always false
   * for a connected identity and for the registration service.
   */
  frozen: boolean;
}

/** @returns the id of a user source, the issuer of a provider, or `scim:` and the id of a SCIM source; null if the account has no source */
export async function findSource(accountId: string, db: Kysely<Schema>): Promise<string | null> {
  const link = db.selectFrom('source_account').select('source').where('account_id', '=', accountId);
  return (await link.executeTakeFirst())?.source ?? null;
}
