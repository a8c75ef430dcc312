/**
 * Makes PostgreSQL end a statement whose client process was killed. A statement that waits for a lock does not notice by
 * itself that its client is gone: it would continue to wait, hold the locks of its transaction, and block all other statements behind it.
 */
import { sql, type QueryExecutorProvider } from 'kysely';

const CHECK_INTERVAL = sql.lit('1s');
/** Systems on which PostgreSQL refuses the setting, because they do not report a closed connection. */
const UNSUPPORTED_SYSTEMS = sql.lit('windows|mingw|visual c');

/** @param scope how long the setting lasts; `session` only on a connection that is not shared */
export async function endWithProcess(db: QueryExecutorProvider, scope: 'transaction' | 'session'): Promise<void> {
  await sql`select set_config('client_connection_check_interval', ${CHECK_INTERVAL}, ${sql.lit(scope === 'transaction')})
    where version() !~* ${UNSUPPORTED_SYSTEMS}`.execute(db);
}
