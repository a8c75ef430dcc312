/**
 * Imported accounts that belong to a person of a source or provider, and what apps know them by. The code that calls it
 * checks that the source is configured.
 */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { AccountFieldInvalid, PersonLinked, SubjectTaken, type AccountError } from '../account/account.errors.js';
import type { SourceLink } from './source-accounts.js';

export interface ImportedPerson extends SourceLink {
  /** The password was taken over: the account is one of its own (`migrated-accounts.ts`). */
  isMigrated: boolean;
}

/** What an account has beside its columns; null: nothing. */
export interface ImportedNames {
  person: ImportedPerson | null;
  /** What apps know it by, where that is not its id. */
  subject: string | null;
}

/** As long as sources may say (`src/sources`); of a provider: OpenID Connect Core, section 2. */
const LONGEST_SUBJECT = 255;

/** @throws AccountFieldInvalid */
export function checkPerson(person: ImportedPerson): ImportedPerson {
  const { subject } = person;
  if (subject === '' || subject.length > LONGEST_SUBJECT || /\p{Cc}/u.test(subject)) {
    const message = `sourceSubject has to be 1 to ${LONGEST_SUBJECT} characters that can be shown.`;
    throw new AccountFieldInvalid('sourceSubject', 'format', message);
  }
  return person;
}

/** @returns for each row what another account has of it; planned each time, as all look-ups of an import */
export async function peopleConflicts(rows: readonly ImportedNames[], db: Kysely<Schema>): Promise<(AccountError | undefined)[]> {
  if (rows.every(({ person, subject }) => person === null && subject === null)) return [];
  const given = rows.map(({ person, subject }, row) => ({ row, source: person?.source, person: person?.subject, subject }));
  const { rows: taken } = await sql<{ row: number; subject: boolean }>`
    select r.row, s.account_id is not null as subject
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as r(row integer, source text, person text, subject text)
      left join account_subject s on s.subject = r.subject
      left join source_account l on l.source = r.source and l.subject = r.person
      left join migrated_account m on m.source = r.source and m.subject = r.person
    where coalesce(s.account_id, l.account_id, m.account_id) is not null`.execute(db);
  const errors = new Map(taken.map(({ row, subject }) => [row, subject ? new SubjectTaken() : new PersonLinked()]));
  return rows.map((_, row) => errors.get(row));
}

/** In the order of what is unique: two imports wait for one another, and neither for both. */
const INSERT_SUBJECTS = new Statement<{ rows: string }, { id: string }>(
  'import.insert-subjects',
  ({ param }) => sql`
    insert into account_subject (account_id, subject)
    select id, subject from jsonb_to_recordset(${param('rows')}::jsonb) as r(id uuid, subject text) order by subject
    on conflict do nothing returning account_id as id`,
);

/** Nothing is known of the person yet: the next sign-in takes everything over. */
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

type MadeNames = ImportedNames & { id: string };

/** @returns ids of accounts of which another one has the person or the subject: they have to go */
export async function insertPeople(made: readonly MadeNames[], database: Database, trx: Transaction<Schema>): Promise<string[]> {
  const subjects = made.flatMap(({ id, subject }) => (subject === null || subject === id ? [] : [{ id, subject }]));
  const people = made.flatMap(({ id, person }) => (person ? [{ id, ...person }] : []));
  const written = async (statement: typeof INSERT_SUBJECTS, rows: readonly { id: string }[]): Promise<Set<string>> =>
    new Set(rows.length === 0 ? [] : (await database.run(statement, { rows: JSON.stringify(rows) }, trx)).map(({ id }) => id));
  const named = await written(INSERT_SUBJECTS, subjects);
  const linked = await written(INSERT_PEOPLE, people);
  // After their rows: an account that is being taken from the source holds one until then.
  const others = await alreadyMigrated(people, trx);
  const mine = people.filter(({ id }) => linked.has(id) && !others.has(id));
  const migrated = await written(
    MIGRATE_PEOPLE,
    mine.filter(({ isMigrated }) => isMigrated),
  );
  const kept = new Set(mine.flatMap(({ id, isMigrated }) => (isMigrated && !migrated.has(id) ? [] : [id])));
  return [...subjects.filter(({ id }) => !named.has(id)), ...people.filter(({ id }) => !kept.has(id))].map(({ id }) => id);
}

/** Planned each time. @returns ids of those whose person has another account, whose password was taken over */
async function alreadyMigrated(people: readonly (SourceLink & { id: string })[], trx: Transaction<Schema>): Promise<Set<string>> {
  if (people.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select r.id from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as r(id uuid, source text, subject text)
      join migrated_account m on m.source = r.source and m.subject = r.subject`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}
