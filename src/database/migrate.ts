/**
 * Brings the tables to this version. Replicas that start together queue on an advisory lock. Steps of a later version are
 * left alone: what they add does not disturb this one.
 */
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import type { Migration } from './migrations/migration.js';
import type { Schema } from './schema.js';

/** Any number that nobody else on the server uses: "foyer" in ASCII. */
const LOCK_ID = 0x666f796572;

/**
 * @param db without limits of time: a replica waits here for the one that migrates
 * @returns the names of the steps that were taken
 */
export async function migrate(db: Kysely<Schema>, migrations: readonly Migration[]): Promise<string[]> {
  if ((await missing(db, migrations)).length === 0) return [];
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK_ID})`.execute(trx);
    await sql`create table if not exists schema_step (
      number integer primary key,
      name text not null,
      applied_at timestamptz not null default now()
    )`.execute(trx);
    const steps = await missing(trx, migrations);
    for (const step of steps) await take(step, trx);
    return steps.map(({ name }) => name);
  });
}

async function missing(db: Kysely<Schema>, migrations: readonly Migration[]): Promise<Migration[]> {
  const table = await sql<{ there: boolean }>`select to_regclass('schema_step') is not null as there`.execute(db);
  if (!table.rows[0]?.there) return [...migrations];
  const { rows } = await sql<{ number: number }>`select number from schema_step`.execute(db);
  const taken = new Set(rows.map(({ number }) => number));
  return migrations.filter(({ number }) => !taken.has(number));
}

async function take({ number, name, statements }: Migration, trx: Transaction<Schema>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(trx);
  await sql`insert into schema_step (number, name) values (${number}, ${name})`.execute(trx);
}
