/** Writes identities at providers and links to people of sources, in transactions that write other tables too. */
import { sql, type InsertObject, type RawBuilder, type Transaction } from 'kysely';
import type { Schema } from '../../database/schema.js';
import { interval } from '../../database/statement.js';

export interface Identity {
  issuer: string;
  subject: string;
}

/** In code points. */
const MAX_LABEL_LENGTH = 200;

/** The password of this person was taken over for another account (`migrated-accounts.ts`). */
export class PersonMigrated extends Error {
  constructor() {
    super('The password of this person was taken over for another account.');
    this.name = 'PersonMigrated';
  }
}

export type NewLinkRow = Pick<InsertObject<Schema, 'source_account'>, 'profile' | 'connected_at' | 'seen_at'> &
  Record<'accountId' | 'source' | 'subject', string>;

/**
 * Links an account to a person. A transaction that takes a password over writes this row first, so that one
 * constraint (`source_account_person`) decides between concurrent transactions that give the same person an account.
 * @throws PersonMigrated, and the database's error for a violated constraint
 */
export async function insertLink({ accountId, source, subject, ...row }: NewLinkRow, trx: Transaction<Schema>): Promise<void> {
  await trx
    .insertInto('source_account')
    .values({ account_id: accountId, source, subject, ...row })
    .execute();
  const migratedRow = await trx
    .selectFrom('migrated_account')
    .select('account_id')
    .where('source', '=', source)
    .where('subject', '=', subject)
    .where('account_id', '<>', accountId)
    .executeTakeFirst();
  if (migratedRow) throw new PersonMigrated();
}

/** @returns false if the account already has this identity, or another identity of this provider */
export async function insertIdentity(
  identity: Identity & { accountId: string; provider: string; label: string | null; now: RawBuilder<Date> },
  trx: Transaction<Schema>,
): Promise<boolean> {
  const { accountId: account_id, provider, issuer, subject, label, now: connected_at } = identity;
  const insertedRow = await trx
    .insertInto('external_identity')
    .values({ account_id, provider, issuer, subject, label: cutLabel(label), connected_at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return insertedRow !== undefined;
}

/**
 * Removes the identities that were connected within the last `seconds`, except the identity of the provider that provisioned the
 * account. Part of securing an account. @returns the providers of the removed identities
 */
export async function removeRecentIdentities(
  { accountId, now, seconds }: { accountId: string; now: RawBuilder<Date>; seconds: number },
  trx: Transaction<Schema>,
): Promise<string[]> {
  const windowStart = sql<Date>`${now} - ${interval(seconds)}`;
  const removedRows = await trx
    .deleteFrom('external_identity')
    .where('account_id', '=', accountId)
    .where('connected_at', '>=', windowStart)
    .where(
      sql<boolean>`not exists (select from source_account s where s.account_id = external_identity.account_id
        and s.source = external_identity.issuer and s.subject = external_identity.subject)`,
    )
    .returning('provider')
    .execute();
  return removedRows.map(({ provider }) => provider).toSorted();
}

/** Labels are untrusted text, and PostgreSQL rejects NUL, and half of a surrogate pair in JSON. */
export function cutLabel(label: string | null): string | null {
  const cleanText = label?.replaceAll('\u0000', '').toWellFormed().trim() ?? '';
  const text = Array.from(cleanText).slice(0, MAX_LABEL_LENGTH).join('');
  return text === '' ? null : text;
}
