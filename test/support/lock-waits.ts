/** Waits until another connection waits for a lock. */
import { sql, type Transaction } from 'kysely';
import type { Schema } from '../../src/database/schema.js';
import { waitUntil } from './upstream-waiting.js';

/**
 * Waits until another connection waits for a lock that this transaction holds. Reads `pg_locks`, because `pg_stat_activity` does not change
 * during a transaction.
 */
export function waitForBlocked(withinMs: number, holder: Transaction<Schema>): Promise<void> {
  const waits = sql`select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
  return waitUntil(withinMs, async () => (await waits.execute(holder)).rows.length > 0);
}
