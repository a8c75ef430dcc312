/**
 * What Hydra knows an account by (`sub` of its tokens), for the life of the account: its id, or the id that its
 * person has at a source. A UUID there becomes the id of the account, anything else is stored.
 */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { AccountFieldInvalid } from './account.errors.js';

/** As PostgreSQL writes it. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** OpenID Connect Core, section 2: at most 255 ASCII characters; here without blanks, which logs and addresses cut. */
const SUBJECT = /^[\x21-\x7e]{1,255}$/;

const ACCOUNT_OF_SUBJECT = new Statement<{ subject: string }, { id: string }>(
  'account-subject.account',
  ({ param }) => sql`select account_id as id from account_subject where subject = ${param('subject')}`,
);

export const SUBJECT_OF_ACCOUNT = new Statement<{ id: string }, { subject: string }>(
  'account-subject.subject',
  ({ param }) => sql`select subject from account_subject where account_id = ${param('id')}::uuid`,
);

/** @returns the id of the account with this stored subject; null if there is none, without a look for an id or a text that cannot be stored */
export async function accountOfSubject(database: Database, subject: string): Promise<string | null> {
  if (!SUBJECT.test(subject) || isStoredId(subject)) return null;
  return (await database.run(ACCOUNT_OF_SUBJECT, { subject }))[0]?.id ?? null;
}

/** @param account SQL of its id @returns SQL of its subject; null: its id */
export function storedSubject(account: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(select subject from account_subject where account_id = ${account})`;
}

/** An id in the form in which PostgreSQL writes it: never the stored subject of an account. */
function isStoredId(subject: string): boolean {
  return ID.test(subject);
}

/** @returns the id that a new account has to have; undefined: any. @throws AccountFieldInvalid */
export function idOfSubject(subject: string | undefined): string | undefined {
  if (subject === undefined) return undefined;
  if (!SUBJECT.test(subject)) {
    throw new AccountFieldInvalid('subject', 'format', 'The subject has to be 1 to 255 visible ASCII characters.');
  }
  return isStoredId(subject) ? subject : undefined;
}

export async function insertSubject(accountId: string, subject: string | undefined, trx: Transaction<Schema>): Promise<void> {
  if (subject === undefined || subject === accountId) return;
  await trx.insertInto('account_subject').values({ account_id: accountId, subject }).execute();
}
