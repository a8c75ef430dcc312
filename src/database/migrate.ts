/**
 * Migrates the tables to this version. Replicas that start together wait for an advisory lock. Migrations of a later version are
 * only reported (`findLater`), because their additions do not affect this version. The statements run in one transaction; indexes
 * on tables that gateways use are created afterwards (`make-indexes.ts`).
 */
import { randomInt } from 'node:crypto';
import { sql, type Kysely, type QueryExecutorProvider, type Transaction } from 'kysely';
import { DatabaseNotReleased } from './database.errors.js';
import { endWithProcess } from './end-with-process.js';
import { makeIndexes } from './make-indexes.js';
import type { Migration } from './migrations/migration.js';
import { repeat } from './repeat.js';
import type { Schema } from './schema.js';

/** Key of the advisory lock: "foyer" in ASCII, so that no other software uses the same number. */
const LOCK_ID = 0x666f796572;
const TRIES = 10;
const MAX_PAUSE_MS = 500;

export interface MigrateOptions {
  /** Other gateways may use the database at the same time; false for the embedded database. */
  isShared?: boolean;
  /** The connections lead through a connection pooler. */
  isPooled?: boolean;
}

/**
 * @param db a database without statement timeouts, because a replica waits while another replica migrates; at least two connections if
 *   the database is shared
 * @returns names of the applied migrations
 * @throws DatabaseNotReleased, IndexInterrupted
 */
export async function migrate(
  db: Kysely<Schema>,
  migrations: readonly Migration[],
  { isShared = false, isPooled = false }: MigrateOptions = {},
): Promise<string[]> {
  if ((await findMissing(db, migrations)).length === 0) return [];
  const indexMigrations = isShared ? migrations.filter(({ indexes }) => indexes !== undefined) : [];
  const immediateMigrations = migrations.filter((candidate) => !indexMigrations.includes(candidate));
  const names = await applyWithRetries(db, immediateMigrations, isShared);
  for (const migration of indexMigrations) {
    const isMade = await makeIndexes(db, migration.indexes ?? [], {
      lockId: LOCK_ID + 1,
      isPooled,
      isMissing: async () => (await findMissing(db, [migration])).length > 0,
      markDone: () => recordMigration(migration, db),
    });
    if (isMade) names.push(migration.name);
  }
  return names;
}

/**
 * Applies migrations in one transaction, and again after a deadlock, which rolls all of them back: gateways of the previous version
 * lock the same tables in another order.
 */
async function applyWithRetries(db: Kysely<Schema>, migrations: readonly Migration[], isShared: boolean): Promise<string[]> {
  return repeat(() => applyInTransaction(db, migrations, isShared), { tries: TRIES, pauseMs: () => randomInt(MAX_PAUSE_MS) });
}

async function applyInTransaction(db: Kysely<Schema>, migrations: readonly Migration[], isShared: boolean): Promise<string[]> {
  if ((await findMissing(db, migrations)).length === 0) return [];
  return db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`set local lock_timeout = 0`.execute(trx);
    if (isShared) await endWithProcess(trx, 'transaction');
    await sql`select pg_advisory_xact_lock(${LOCK_ID})`.execute(trx);
    await requireReleased(trx);
    await sql`create table if not exists schema_migration (
      number integer primary key,
      name text not null,
      applied_at timestamptz not null default now()
    )`.execute(trx);
    const missingMigrations = await findMissing(trx, migrations);
    for (const migration of missingMigrations) await applyOne(migration, trx);
    return missingMigrations.map(({ name }) => name);
  });
}

/** Refuses the tables of versions before the first release, which had no `schema_migration`. @throws DatabaseNotReleased */
export async function requireReleased(db: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql<{ released: boolean }>`
    select to_regclass('account') is null or to_regclass('schema_migration') is not null as released`.execute(db);
  if (rows[0]?.released !== true) throw new DatabaseNotReleased();
}

/** Applied migrations that only a later version has. */
export interface LaterMigrations {
  count: number;
  /** Number and name of the newest migration. */
  newest: string;
}

/** @param db a database with the table `schema_migration` @returns null if there are none */
export async function findLater(db: QueryExecutorProvider, migrations: readonly Migration[]): Promise<LaterMigrations | null> {
  const { rows } = await sql<{ number: number; name: string }>`
    select number, name from schema_migration order by number desc`.execute(db);
  const laterRows = rows.filter(({ number }) => !migrations.some((migration) => migration.number === number));
  return laterRows[0] ? { count: laterRows.length, newest: `${laterRows[0].number} (${laterRows[0].name})` } : null;
}

async function findMissing(db: Kysely<Schema>, migrations: readonly Migration[]): Promise<Migration[]> {
  const table = await sql<{ is_present: boolean }>`select to_regclass('schema_migration') is not null as is_present`.execute(db);
  if (!table.rows[0]?.is_present) return [...migrations];
  const { rows } = await sql<{ number: number }>`select number from schema_migration`.execute(db);
  const appliedNumbers = new Set(rows.map(({ number }) => number));
  return migrations.filter(({ number }) => !appliedNumbers.has(number));
}

async function applyOne(migration: Migration, trx: Transaction<Schema>): Promise<void> {
  for (const statement of migration.statements) await sql.raw(statement).execute(trx);
  for (const { name, on, unique } of migration.indexes ?? []) {
    await sql.raw(`create ${unique ? 'unique ' : ''}index ${name} on ${on}`).execute(trx);
  }
  await recordMigration(migration, trx);
}

async function recordMigration({ number, name }: Migration, db: QueryExecutorProvider): Promise<void> {
  await sql`insert into schema_migration (number, name) values (${number}, ${name})`.execute(db);
}
