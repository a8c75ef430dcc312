/** To which source of people, or provider that provisions them, an account belongs. */
import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.js';

/** @returns null for an account of its own */
export async function sourceOf(accountId: string, db: Kysely<Schema>): Promise<string | null> {
  const link = db.selectFrom('source_account').select('source').where('account_id', '=', accountId);
  return (await link.executeTakeFirst())?.source ?? null;
}
