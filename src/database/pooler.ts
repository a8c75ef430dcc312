/**
 * Determines whether a connection pooler (such as PgBouncer) is between Foyer and PostgreSQL, and whether it keeps named statements.
 * A pooler in transaction mode gives a server connection to another client after each transaction: session settings, named
 * statements and session locks are lost or affect that client. Behind a pooler, Foyer uses no session settings or session locks, and
 * named statements only if DATABASE_STATEMENTS requires them; locks of migrations end with their transaction.
 */
import { PoolerUnsuitable, StatementLost } from './database.errors.js';
import { nameFailure } from './failures.js';
import type { Session, SessionSource } from './sessions.js';

const PROBE = { text: 'select 1', values: [], name: 'foyer.probe' };

/** Whether a pooler answers: it accepts a connection with an id that is not the id of a server process. */
export async function isPooled(source: SessionSource): Promise<boolean> {
  return useSession(source, async (session) => {
    const { rows } = await session.query({ text: 'select pg_backend_pid() as pid', values: [] });
    return (rows[0] as { pid: number }).pid !== session.processId;
  });
}

/**
 * Whether a pooler keeps the names of statements. PgBouncer does so from 1.21 on with `max_prepared_statements`, and any version
 * does in session mode. Otherwise the second of two clients gets the server connection on which the first client left the name.
 *
 * @param source a source with at least two connections that sends statements with names
 */
export async function keepsNamedStatements(source: SessionSource): Promise<boolean> {
  try {
    await useSession(source, (first) =>
      useSession(source, async (second) => {
        await first.query(PROBE);
        await second.query({ text: 'begin', values: [] });
        await second.query(PROBE);
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof StatementLost) return false;
    throw error;
  }
}

/** @throws PoolerUnsuitable */
export async function requireNamedStatements(source: SessionSource): Promise<void> {
  if (!(await keepsNamedStatements(source))) throw new PoolerUnsuitable();
}

/** Closes the connection afterwards, because `work` may leave a transaction or a name on it. */
async function useSession<T>(source: SessionSource, work: (session: Session) => Promise<T>): Promise<T> {
  try {
    const session = await source.acquire();
    return await work(session).finally(() => session.release(true));
  } catch (error) {
    throw nameFailure(error);
  }
}
