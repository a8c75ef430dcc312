/**
 * Opens the database: the configured PostgreSQL server, or PGlite in the data directory. Waits for a server that is starting
 * or is not available for another reason; other errors are thrown immediately.
 */
import { Kysely } from 'kysely';
import type { Clock } from '../config/clock.js';
import type { Config } from '../config/config.js';
import { defined } from '../config/defined.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { Database } from './database.js';
import { DatabaseUnavailable } from './database.errors.js';
import { SessionDialect } from './driver.js';
import { openEmbedded } from './embedded-directory.js';
import { isRefusal, lacksPrivilege } from './failures.js';
import { findLater, migrate, type LaterMigrations, type MigrateOptions } from './migrate.js';
import { MIGRATIONS } from './migrations/index.js';
import { realPause, type Pause } from './pause.js';
import { isPooled, requireNamedStatements } from './pooler.js';
import type { Schema } from './schema.js';
import type { SessionSource } from './sessions.js';
import { TransactionScope } from './transaction-scope.js';

export interface DatabaseEvent {
  kind: 'waiting' | 'migrated' | 'ahead' | 'pooled' | 'connection-lost' | 'lock-lost';
  /** English sentences without secrets. */
  message: string;
}

export interface DatabaseOptions {
  database: Config['database'];
  clock: Clock;
  onEvent?: (event: DatabaseEvent) => void;
  /** The sum of the pauses between tries to reach a server that is not available, for example because it is starting. */
  startTimeoutMs?: number;
  /** How long to wait for a connection. */
  acquireTimeoutMs?: number;
  pause?: Pause;
  telemetry?: Telemetry;
}

const START_TIMEOUT_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5000;

type OpenOptions = Required<Pick<DatabaseOptions, 'onEvent' | 'startTimeoutMs' | 'pause'>> &
  Pick<DatabaseOptions, 'acquireTimeoutMs'>;

/**
 * @throws DatabaseUnavailable, PoolerUnsuitable, DatabaseNotReleased, DataDirectoryInUse, DataDirectoryUnusable, or StatementFailed if a
 *   migration fails
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { database, clock, telemetry } = options;
  const commonParts = { clock, ...(telemetry ? { telemetry } : {}) };
  const openOptions: OpenOptions = { onEvent: () => undefined, startTimeoutMs: START_TIMEOUT_MS, pause: realPause, ...options };
  if (database.url === undefined) {
    const source = await openEmbeddedSource(database.dataDir, openOptions);
    return new Database({ source, dialect: 'pglite', ...commonParts });
  }
  const source = await openServerSource({ ...database, url: database.url }, openOptions);
  return new Database({ source, dialect: 'postgresql', ...commonParts });
}

async function openEmbeddedSource(dataDir: string, { onEvent }: OpenOptions): Promise<SessionSource> {
  const source = await openEmbedded(dataDir, () => {
    onEvent({ kind: 'lock-lost', message: 'Another process has taken the lock of the data directory; the database was closed.' });
  });
  try {
    await prepare(source, onEvent);
    return source;
  } catch (error) {
    await source.close();
    throw error;
  }
}

type Server = Pick<Config['database'], 'poolSize' | 'statements'> & { url: string };

async function openServerSource({ url, poolSize, statements }: Server, openOptions: OpenOptions): Promise<SessionSource> {
  const { onEvent, acquireTimeoutMs } = openOptions;
  const { PostgresSource } = await import('./postgres.js');
  const onConnectionLost = (): void => onEvent({ kind: 'connection-lost', message: 'A connection to the database was lost.' });
  const commonOptions = { url, onConnectionLost, ...defined({ acquireTimeoutMs }) };
  const migrationSource = new PostgresSource({ ...commonOptions, poolSize: 2, unlimited: true });
  let isBehindPooler: boolean;
  try {
    isBehindPooler = await waitForServer(async () => {
      const isServerPooled = await isPooled(migrationSource);
      if (isServerPooled && statements === 'named') await requireNamedStatements(migrationSource);
      await prepare(migrationSource, onEvent, { isShared: true, isPooled: isServerPooled });
      return isServerPooled;
    }, openOptions);
  } finally {
    await migrationSource.close();
  }
  if (isBehindPooler) onEvent({ kind: 'pooled', message: POOLED_MESSAGE });
  const unnamed = statements === undefined ? isBehindPooler : statements === 'unnamed';
  return new PostgresSource({ ...commonOptions, poolSize, pooled: isBehindPooler, unnamed });
}

const POOLED_MESSAGE =
  'DATABASE_URL leads through a connection pooler: statements outside a transaction have the time limits that the server sets for the user in DATABASE_URL.';

async function prepare(source: SessionSource, onEvent: OpenOptions['onEvent'], options: MigrateOptions = {}): Promise<void> {
  const db = new Kysely<Schema>({ dialect: new SessionDialect(source, new TransactionScope()) });
  const appliedNames = await migrate(db, MIGRATIONS, options);
  if (appliedNames.length > 0) onEvent({ kind: 'migrated', message: `The database was migrated: ${appliedNames.join(', ')}.` });
  const laterMigrations = await findLater(db, MIGRATIONS);
  if (laterMigrations) onEvent({ kind: 'ahead', message: toAheadMessage(laterMigrations) });
}

function toAheadMessage({ count, newest }: LaterMigrations): string {
  return (
    `The database has ${count} migration${count === 1 ? '' : 's'} of a newer version; the newest is ${newest}. ` +
    'This version works with the database and ignores what the newer version added. This is expected during an update and after ' +
    'a return to this version.'
  );
}

async function waitForServer<T>(work: () => Promise<T>, { onEvent, startTimeoutMs, pause }: OpenOptions): Promise<T> {
  let waitedMs = 0;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (isRefusal(error)) {
        throw new DatabaseUnavailable(
          lacksPrivilege(error)
            ? 'The user in DATABASE_URL lacks a privilege: CONNECT on the database, or CREATE on its schema.'
            : 'The database server refused the user, the password or the database in DATABASE_URL.',
        );
      }
      if (!(error instanceof DatabaseUnavailable)) throw error;
      if (waitedMs + pauseMs > startTimeoutMs) {
        throw new DatabaseUnavailable(
          `The database server in DATABASE_URL was not available within ${Math.round(startTimeoutMs / 1000)} s. ${error.message}`,
        );
      }
      onEvent({ kind: 'waiting', message: `${error.message} Next try in ${pauseMs} ms.` });
    }
    await pause(pauseMs);
    waitedMs += pauseMs;
  }
}
