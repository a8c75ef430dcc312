/**
 * The subject of an account: the `sub` by which Hydra and the apps know the account for its whole life. The subject is the id of
 * the account, or the id that the person has at a user source. A UUID of a source becomes the id of the account; any other
 * subject is stored.
 */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { AccountFieldInvalid } from './account.errors.js';

/** A UUID as PostgreSQL writes it. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** At most 255 ASCII characters (OpenID Connect Core, section 2), here without blanks, at which logs and URLs would be cut. */
const SUBJECT = /^[\x21-\x7e]{1,255}$/;

const FIND_ACCOUNT = new Statement<{ subject: string }, { id: string }>(
  'account-subject.account',
  ({ param }) => sql`select account_id as id from account_subject where subject = ${param('subject')}`,
);

export const FIND_SUBJECT = new Statement<{ id: string }, { subject: string }>(
  'account-subject.subject',
  ({ param }) => sql`select subject from account_subject where account_id = ${param('id')}::uuid`,
);

/** @returns the id of the account with this stored subject, or null. Ids and texts that cannot be subjects are not looked up */
export async function findAccountBySubject(database: Database, subject: string): Promise<string | null> {
  if (!SUBJECT.test(subject) || isStoredId(subject)) return null;
  return (await database.run(FIND_ACCOUNT, { subject }))[0]?.id ?? null;
}

/** @param account SQL of the account's id @returns SQL of its stored subject, which is null if the id is the subject */
export function findSubjectSql(account: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(select subject from account_subject where account_id = ${account})`;
}

/** An id in the form in which PostgreSQL writes it is never stored as a subject. */
function isStoredId(subject: string): boolean {
  return ID.test(subject);
}

/** @returns the id that a new account with this subject has to have; undefined if any id will do @throws AccountFieldInvalid */
export function toAccountId(subject: string | undefined): string | undefined {
  if (subject === undefined) return undefined;
  if (!SUBJECT.test(subject)) {
    throw new AccountFieldInvalid('subject', 'format', 'The subject must be 1 to 255 visible ASCII characters.');
  }
  return isStoredId(subject) ? subject : undefined;
}

export async function insertSubject(accountId: string, subject: string | undefined, trx: Transaction<Schema>): Promise<void> {
  if (subject === undefined || subject === accountId) return;
  await trx.insertInto('account_subject').values({ account_id: accountId, subject }).execute();
}
