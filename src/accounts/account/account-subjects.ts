/**
 * The subject of an account is the `sub` by which Hydra and the apps identify the account for its whole life: the id of the account,
 * or an id that a user source, a SCIM source, a provider that provisions accounts or an import has given. If that id is a UUID in the
 * canonical form, it becomes the id of the account; any other subject is stored.
 */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { AccountFieldInvalid } from './account.errors.js';
import { isAccountId } from './account.js';

/** A UUID in the form in which PostgreSQL writes it. */
const CANONICAL_UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/**
 * At most 255 ASCII characters (OpenID Connect Core, section 2). Spaces are excluded, because logs and URLs may be cut off at a
 * space.
 */
const SUBJECT = /^[\x21-\x7e]{1,255}$/;

const FIND_ACCOUNT = new Statement<{ subject: string }, { id: string }>(
  'account-subject.account',
  ({ param }) => sql`select account_id as id from account_subject where subject = ${param('subject')}`,
);

export const FIND_SUBJECT = new Statement<{ id: string }, { subject: string }>(
  'account-subject.subject',
  ({ param }) => sql`select subject from account_subject where account_id = ${param('id')}::uuid`,
);

/**
 * The owner of an account id with capital letters that is not a stored subject. Hydra's subjects are case-sensitive, so such an id
 * is not the subject of any account.
 */
const NOBODY = 'nobody';
/**
 * A UUID with or without hyphens, in braces or parentheses, or as a URN (RFC 9562): other systems treat all these spellings as the same
 * UUID.
 */
const ANY_UUID = /^(?:urn:uuid:)?[{(]?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})[)}]?$/i;

/** @returns the canonical UUID that other systems may read in a subject; undefined if the subject does not look like a UUID */
export function toReadId(subject: string | null | undefined): string | undefined {
  return ANY_UUID.exec(subject ?? '')
    ?.slice(1)
    .join('-')
    .toLowerCase();
}

/**
 * @returns the id of the account with this subject at Hydra; `nobody` for an unknown account id with capital letters; any other
 * unknown subject itself
 */
export async function findOwnerOfSubject(database: Database, subject: string): Promise<string> {
  const id = await findAccountBySubject(database, subject);
  return id ?? (isAccountId(subject) && !isCanonicalUuid(subject) ? NOBODY : subject);
}

/** Does not look up ids and texts that cannot be subjects. @returns the id of the account with this stored subject, or null */
async function findAccountBySubject(database: Database, subject: string): Promise<string | null> {
  if (!SUBJECT.test(subject) || isCanonicalUuid(subject)) return null;
  return (await database.run(FIND_ACCOUNT, { subject }))[0]?.id ?? null;
}

/** @param account SQL of the account's id @returns SQL of its stored subject, which is null if the id is the subject */
export function findSubjectSql(account: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(select subject from account_subject where account_id = ${account})`;
}

/** A subject that is a canonical UUID is the id of its account and is never stored. */
export function isCanonicalUuid(subject: string): boolean {
  return CANONICAL_UUID.test(subject);
}

/** @returns the id that a new account with this subject must have; undefined if it may have any id @throws AccountFieldInvalid */
export function toAccountId(subject: string | undefined): string | undefined {
  if (subject === undefined) return undefined;
  if (!SUBJECT.test(subject)) {
    throw new AccountFieldInvalid('subject', 'format', 'The subject must be 1 to 255 visible ASCII characters.');
  }
  return isCanonicalUuid(subject) ? subject : undefined;
}

export async function insertSubject(accountId: string, subject: string | undefined, trx: Transaction<Schema>): Promise<void> {
  if (subject === undefined || subject === accountId) return;
  await trx.insertInto('account_subject').values({ account_id: accountId, subject }).execute();
}
