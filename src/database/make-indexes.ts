/**
 * Makes the indexes of a migration while gateways of the version before change the same tables (`create index
 * concurrently`). An index that was interrupted stays invalid: it is dropped and made again.
 *
 * One replica makes them; the others ask again and again whether it is done. They do not wait for its lock: a waiting
 * statement has a snapshot, and PostgreSQL finishes the index only when older snapshots are gone.
 */
import { sql, type Kysely } from 'kysely';
import { IndexInterrupted } from './database.errors.js';
import { endWithProcess } from './end-with-process.js';
import { isCancelled } from './failures.js';
import type { Index } from './migrations/migration.js';
import { realPause } from './pause.js';
import { repeating } from './repeating.js';
import type { Schema } from './schema.js';

const TRIES = 5;
const PAUSE_MS = 250;

export interface IndexOptions {
  /** Key of the lock, beside that of the migrations. */
  lockId: number;
  /** A pooler is in between: nothing can be set for a connection. */
  isPooled: boolean;
  /** @returns the indexes that no replica has made yet; asked again once the lock is held */
  missing: () => Promise<boolean>;
  /** Records that all were made. */
  done: () => Promise<void>;
}

/** @returns whether this process made them @throws IndexInterrupted */
export async function makeIndexes(db: Kysely<Schema>, indexes: readonly Index[], options: IndexOptions): Promise<boolean> {
  const { lockId, missing, done } = options;
  while (await missing()) {
    // The lock ends with this transaction, also when the process dies. Idle, it has no snapshot.
    const isMade = await db.transaction().execute(async (lock) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(lock);
      // Without parameters: the extended protocol would keep the statement's snapshot until the end of the transaction.
      const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(lockId)}) as held`.execute(lock);
      if (rows[0]?.held !== true || !(await missing())) return false;
      for (const index of indexes) await makeIndex(db, index, options);
      await done();
      return true;
    });
    if (isMade) return true;
    await realPause(PAUSE_MS);
  }
  return false;
}

async function makeIndex(db: Kysely<Schema>, { name, on, unique }: Index, { isPooled }: IndexOptions): Promise<void> {
  const create = sql.raw(`create ${unique ? 'unique ' : ''}index concurrently ${name} on ${on}`);
  const make = (): Promise<void> =>
    db.connection().execute(async (connection) => {
      if (!isPooled) {
        await sql`set statement_timeout = 0`.execute(connection);
        await sql`set lock_timeout = 0`.execute(connection);
        await endWithProcess(connection, 'session');
      }
      const { rows } = await sql<{ valid: boolean | null }>`
        select (select indisvalid from pg_index where indexrelid = to_regclass(${name})) as valid`.execute(connection);
      if (rows[0]?.valid === true) return;
      if (rows[0]?.valid === false) await sql.raw(`drop index concurrently ${name}`).execute(connection);
      await create.execute(connection);
    });
  try {
    await repeating(make, { tries: TRIES, pauseMs: (attempt) => PAUSE_MS * attempt });
  } catch (error) {
    if (isCancelled(error)) throw new IndexInterrupted(name);
    throw error;
  }
}
