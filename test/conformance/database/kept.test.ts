/** The databases that test files share: each file finds one as if it was just migrated. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type { Database } from '../../../src/database/database.js';
import { openTestDatabase, whyNoServer, type DatabaseKind } from '../../support/databases.js';
import { IS_FULL } from '../../support/matrix.js';
import { AccountParts } from './account-parts.js';

const opened: Database[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close()));
});

async function open(kind: DatabaseKind): Promise<Database> {
  const database = await openTestDatabase(kind);
  opened.push(database);
  return database;
}

/** @returns ids of the audit log */
async function fill(database: Database): Promise<number[]> {
  await new AccountParts(database).accounts.create({ username: 'maria', displayName: 'Maria' });
  return toIds(database);
}

async function toIds({ db }: Database): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`select seq from audit_event order by seq`.execute(db);
  return rows.map(({ seq }) => seq);
}

const CHANGES = [
  ['a table', 'create table note (text text)'],
  ['a column', 'alter table account add column note text'],
  ['a trigger that is off', 'alter table audit_event disable trigger user'],
] as const;

const KINDS: DatabaseKind[] = whyNoServer() === null ? ['pglite', 'postgresql'] : ['pglite'];

describe.each(KINDS)('a database on %s', (kind) => {
  it('is empty after rows were written, and counts ids from the beginning', async () => {
    const first = await open(kind);
    const ids = await fill(first);
    await first.close();
    await expect(first.ping()).rejects.toThrow();
    const second = await open(kind);
    expect(await toIds(second)).toEqual([]);
    expect(ids.length).toBeGreaterThan(0);
    expect(await fill(second)).toEqual(ids);
  });

  it('has no statistics of tables that were emptied', async () => {
    const first = await open(kind);
    await fill(first);
    await first.close();
    const second = await open(kind);
    const { rows } =
      await sql`select relname from pg_class where relname in ('account', 'audit_event') and reltuples >= 0`.execute(second.db);
    expect(rows).toEqual([]);
  });

  // Each change costs another instance.
  it.each(IS_FULL ? CHANGES : CHANGES.slice(-1))('is replaced after a change of %s', async (_, change) => {
    const first = await open(kind);
    await sql.raw(change).execute(first.db);
    await first.close();
    const second = await open(kind);
    const { rows } = await sql`select relname from pg_class where relname = 'note'
      union all select attname from pg_attribute where attname = 'note'
      union all select tgname from pg_trigger where tgenabled <> 'O'`.execute(second.db);
    expect(rows).toEqual([]);
  });

  it('is used by one test at a time', async () => {
    const [first, second] = [await open(kind), await open(kind)];
    await fill(first);
    expect(await toIds(second)).toEqual([]);
  });
});
