/**
 * Creates the indexes of a migration while gateways of the previous version change the same tables (`create index
 * concurrently`). An interrupted index stays invalid; it is dropped and created again.
 *
 * One replica creates the indexes; the others poll until they exist. The others do not wait for a lock, because a waiting statement
 * holds a snapshot, and PostgreSQL finishes an index only when older snapshots have ended.
 */
import { sql, type Kysely } from 'kysely';
import { IndexInterrupted } from './database.errors.js';
import { endWithProcess } from './end-with-process.js';
import { isCancelled } from './failures.js';
import type { Index } from './migrations/migration.js';
import { realPause } from './pause.js';
import { repeat } from './repeat.js';
import type { Schema } from './schema.js';

const TRIES = 5;
const PAUSE_MS = 250;

export interface IndexOptions {
  /** Key of the advisory lock; differs from the key of the migrations. */
  lockId: number;
  /** The connection leads through a pooler, so no settings can be made for the connection. */
  isPooled: boolean;
  /** @returns whether no replica has created the indexes yet; called again once the lock is held */
  isMissing: () => Promise<boolean>;
  /** Records that all indexes exist. */
  markDone: () => Promise<void>;
}

/** @returns whether this process created the indexes @throws IndexInterrupted */
export async function makeIndexes(db: Kysely<Schema>, indexes: readonly Index[], options: IndexOptions): Promise<boolean> {
  const { lockId, isMissing, markDone } = options;
  while (await isMissing()) {
    // The lock ends with this transaction, even if the process dies. An idle transaction holds no snapshot.
    const isMade = await db.transaction().execute(async (lock) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(lock);
      // The statement has no parameters, because the extended protocol would hold the statement's snapshot until the end of the transaction.
      const { rows } = await sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(lockId)}) as held`.execute(lock);
      if (rows[0]?.held !== true || !(await isMissing())) return false;
      for (const index of indexes) await makeIndex(db, index, options);
      await markDone();
      return true;
    });
    if (isMade) return true;
    await realPause(PAUSE_MS);
  }
  return false;
}

async function makeIndex(db: Kysely<Schema>, { name, on, unique }: Index, { isPooled }: IndexOptions): Promise<void> {
  const creation = sql.raw(`create ${unique ? 'unique ' : ''}index concurrently ${name} on ${on}`);
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
      await creation.execute(connection);
    });
  try {
    await repeat(make, { tries: TRIES, pauseMs: (attempt) => PAUSE_MS * attempt });
  } catch (error) {
    if (isCancelled(error)) throw new IndexInterrupted(name);
    throw error;
  }
}
