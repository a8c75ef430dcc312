/**
 * Links imported accounts to people of sources and providers, and stores the subjects by which apps identify the accounts. The code
 * that calls these functions checks that the source is configured.
 */
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement, interval } from '../../database/statement.js';
import { AccountFieldInvalid, PersonLinked, SubjectTaken, type AccountError } from '../account/account.errors.js';
import type { AuditContext } from '../audit/audit-log.js';
import { toActorText } from '../operators/operator-identity.js';
import { OFFER_SECONDS } from '../scim/offered-accounts.js';
import { type SourceLink } from '../identities/source-accounts.js';
import { findScimId } from '../../config/stored-sources.js';

export interface ImportedPerson extends SourceLink {
  /** The password was taken over, and the account no longer belongs to the source (`migrated-accounts.ts`). */
  isMigrated: boolean;
}

/** Values of an account that other tables contain; null if there are none. */
export interface ImportedLinks {
  person: ImportedPerson | null;
  /** The subject by which apps identify the account; null if it is the id. */
  subject: string | null;
}

/** The limit of OpenID Connect Core, section 2. The limit of user sources over HTTP is lower (`src/sources/http`). */
const MAX_SUBJECT_LENGTH = 255;

/** @throws AccountFieldInvalid */
export function checkPerson(person: ImportedPerson): ImportedPerson {
  const { subject } = person;
  if (subject === '' || subject.length > MAX_SUBJECT_LENGTH || /[\p{Cc}\p{Cs}]/u.test(subject)) {
    const message = `sourceSubject must be 1 to ${MAX_SUBJECT_LENGTH} characters, without control characters or lone surrogates.`;
    throw new AccountFieldInvalid('sourceSubject', 'format', message);
  }
  return person;
}

/**
 * This statement is planned each time, like all look-ups of an import.
 * @returns for each row, an error if its person or subject is taken; an empty list if no row has a person or a subject
 */
export async function findPeopleConflicts(
  rows: readonly ImportedLinks[],
  database: Database,
): Promise<(AccountError | undefined)[]> {
  if (rows.every(({ person, subject }) => person === null && subject === null)) return [];
  const values = rows.map(({ person, subject }, row) => ({ row, source: person?.source, person: person?.subject, subject }));
  const { rows: conflictRows } = await sql<{ row: number; is_subject_taken: boolean }>`
    select r.row, s.account_id is not null as is_subject_taken
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as r(row integer, source text, person text, subject text)
      left join account_subject s on s.subject = r.subject
      left join source_account l on l.source = r.source and l.subject = r.person
      left join migrated_account m on m.source = r.source and m.subject = r.person
      left join scim_user u on u.source = r.source and u.external_id = r.person
      left join scim_offer o on o.source = r.source and o.external_id = r.person and o.expires_at > ${database.now()}
    where coalesce(s.account_id, l.account_id, m.account_id, u.account_id, o.account_id) is not null`.execute(database.db);
  const errors = new Map(
    conflictRows.map((conflict) => [conflict.row, conflict.is_subject_taken ? new SubjectTaken() : new PersonLinked()]),
  );
  return rows.map((_, row) => errors.get(row));
}

/** Inserts in the order of the unique index, so that two imports cannot deadlock. */
const INSERT_SUBJECTS = new Statement<{ rows: string }, { id: string }>(
  'import.insert-subjects',
  ({ param }) => sql`
    insert into account_subject (account_id, subject)
    select id, subject from jsonb_to_recordset(${param('rows')}::jsonb) as r(id uuid, subject text) order by subject
    on conflict do nothing returning account_id as id`,
);

/** The profile is empty, so that the next sign-in takes over all values. */
const INSERT_PEOPLE = new Statement<{ rows: string }, { id: string }>(
  'import.insert-people',
  ({ param, now }) => sql`
    insert into source_account (account_id, source, subject, profile, connected_at, seen_at)
    select id, source, subject, '', ${now}, ${now}
    from jsonb_to_recordset(${param('rows')}::jsonb) as r(id uuid, source text, subject text) order by source, subject
    on conflict do nothing returning account_id as id`,
);

const MIGRATE_PEOPLE = new Statement<{ rows: string }, { id: string }>(
  'import.migrate-people',
  ({ param, now }) => sql`
    with taken as (
      delete from source_account where account_id = any(array(select id from jsonb_to_recordset(${param('rows')}::jsonb) as r(id uuid)))
      returning account_id, source, subject
    )
    insert into migrated_account (account_id, source, subject, migrated_at)
    select account_id, source, subject, ${now} from taken order by source, subject
    on conflict do nothing returning account_id as id`,
);

/** These offers have not been removed yet, and would violate the unique index. */
const DELETE_EXPIRED_OFFERS = new Statement<{ rows: string }, never>(
  'import.delete-expired-offers',
  ({ param, now }) => sql`
    delete from scim_offer o using jsonb_to_recordset(${param('rows')}::jsonb) as r(source text, subject text)
    where o.source = r.source and o.external_id = r.subject and o.expires_at <= ${now}`,
);

/**
 * A SCIM source takes the account when it pushes the person. `offered-accounts.ts` defines how long the offer is valid. PostgreSQL looks
 * each person up by the index; with `not exists`, it would read all people of SCIM sources, depending on its statistics.
 */
const OFFER_PEOPLE = new Statement<{ rows: string; actor: string }, { id: string }>(
  'import.offer-people',
  ({ param, now }) => sql`
    insert into scim_offer (account_id, source, external_id, offered_at, offered_by, expires_at)
    select id, source, subject, ${now}, ${param('actor')}, ${now} + ${interval(OFFER_SECONDS)}
    from jsonb_to_recordset(${param('rows')}::jsonb) as r(id uuid, source text, subject text)
    where (select u.account_id from scim_user u where u.source = r.source and u.external_id = r.subject) is null
    order by source, subject
    on conflict do nothing returning account_id as id`,
);

type CreatedLinks = ImportedLinks & { id: string };

/** @returns ids of accounts whose person or subject belongs to another account: they have to be deleted */
export async function insertPeople(
  newAccounts: readonly CreatedLinks[],
  { database, auditContext }: { database: Database; auditContext: AuditContext },
  trx: Transaction<Schema>,
): Promise<string[]> {
  const subjects = newAccounts.flatMap(({ id, subject }) => (subject === null || subject === id ? [] : [{ id, subject }]));
  const linkedAccounts = newAccounts.flatMap(({ id, person }) => (person ? [{ id, ...person }] : []));
  const people = linkedAccounts.filter(({ source }) => findScimId(source) === null);
  const pushedPeople = linkedAccounts.filter(({ source }) => findScimId(source) !== null);
  const insert = async (statement: typeof INSERT_SUBJECTS, rows: readonly { id: string }[]): Promise<Set<string>> =>
    new Set(rows.length === 0 ? [] : (await database.run(statement, { rows: JSON.stringify(rows) }, trx)).map(({ id }) => id));
  const idsWithSubject = await insert(INSERT_SUBJECTS, subjects);
  const offeredIds = await offerPeople(pushedPeople, { database, auditContext }, trx);
  const linkedIds = await insert(INSERT_PEOPLE, people);
  // Must come after the insert, which has waited for transactions that take over the password of the same person.
  const conflictingIds = await findConflictingIds(people, trx);
  const ownPeople = people.filter(({ id }) => linkedIds.has(id) && !conflictingIds.has(id));
  const migratedIds = await insert(
    MIGRATE_PEOPLE,
    ownPeople.filter(({ isMigrated }) => isMigrated),
  );
  const keptIds = new Set(ownPeople.flatMap(({ id, isMigrated }) => (isMigrated && !migratedIds.has(id) ? [] : [id])));
  return [
    ...subjects.filter(({ id }) => !idsWithSubject.has(id)),
    ...people.filter(({ id }) => !keptIds.has(id)),
    ...pushedPeople.filter(({ id }) => !offeredIds.has(id)),
  ].map(({ id }) => id);
}

/** @returns ids of the accounts that are offered; the source already has the people of the others, or they are offered to it */
async function offerPeople(
  pushedPeople: readonly (SourceLink & { id: string })[],
  { database, auditContext }: { database: Database; auditContext: AuditContext },
  trx: Transaction<Schema>,
): Promise<Set<string>> {
  if (pushedPeople.length === 0) return new Set();
  const rows = JSON.stringify(pushedPeople);
  await database.run(DELETE_EXPIRED_OFFERS, { rows }, trx);
  const offers = await database.run(OFFER_PEOPLE, { rows, actor: toActorText(auditContext) }, trx);
  return new Set(offers.map(({ id }) => id));
}

/**
 * This statement is planned each time.
 * @returns ids of accounts whose person has another account with a password that was taken over
 */
async function findConflictingIds(
  people: readonly (SourceLink & { id: string })[],
  trx: Transaction<Schema>,
): Promise<Set<string>> {
  if (people.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select r.id from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as r(id uuid, source text, subject text)
      join migrated_account m on m.source = r.source and m.subject = r.subject`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}
