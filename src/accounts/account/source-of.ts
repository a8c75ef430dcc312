/** To which user source, or provider that provisions them, an account belongs. */
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.js';
import type { AccountFields } from './account.js';

/** An account and what is needed to ask its source; the first three are null for an account of its own. */
export interface LinkedCandidate extends AccountFields {
  source: string | null;
  source_subject: string | null;
  source_profile: string | null;
  security_stamp: string;
  /** After "that was not me". */
  frozen: boolean;
}

/** @returns null for an account of its own */
export async function findSource(accountId: string, db: Kysely<Schema>): Promise<string | null> {
  const link = db.selectFrom('source_account').select('source').where('account_id', '=', accountId);
  return (await link.executeTakeFirst())?.source ?? null;
}
