/**
 * A statement that waits for a lock does not notice that its process was killed: it would go on waiting, hold the locks of
 * its transaction, and make everybody else wait behind it. PostgreSQL looks for the client meanwhile if it is told to.
 */
import { sql, type QueryExecutorProvider } from 'kysely';

const LOOK_EVERY = sql.lit('1s');
/** PostgreSQL refuses the setting there, for want of an event of the operating system. */
const WITHOUT = sql.lit('windows|mingw|visual c');

/** @param scope until the end of the transaction, or of the connection, which must not be shared then */
export async function endWithProcess(db: QueryExecutorProvider, scope: 'transaction' | 'session'): Promise<void> {
  await sql`select set_config('client_connection_check_interval', ${LOOK_EVERY}, ${sql.lit(scope === 'transaction')})
    where version() !~* ${WITHOUT}`.execute(db);
}
