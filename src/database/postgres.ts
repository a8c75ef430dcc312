/**
 * Sessions of a PostgreSQL server over a bounded pool. Every wait has a limit: for a connection, an answer, a lock, and
 * on the server for an idle transaction.
 */
import pg from 'pg';
import type { PoolClient, PoolConfig } from 'pg';
import { DatabaseUnavailable } from './database.errors.js';
import type { Session, SessionSource, SessionUsage, StatementResult, StatementText } from './sessions.js';

const ACQUIRE_TIMEOUT_MS = 5000;
const LIMITS = {
  statement_timeout: 10_000,
  lock_timeout: 5000,
  idle_in_transaction_session_timeout: 15_000,
  // Longer than the server's own limits: it only ends statements that no longer answer.
  query_timeout: 15_000,
} satisfies PoolConfig;
const IDLE_CONNECTION_MS = 30_000;
const WAITING_PER_CONNECTION = 50;

/** int8 (`count(*)`, identities) becomes a number, as in PGlite; all values are far below 2^53. */
const TYPES = new pg.TypeOverrides();
TYPES.setTypeParser(pg.types.builtins.INT8, Number);

export interface PostgresOptions {
  url: string;
  poolSize: number;
  /** An idle connection broke; the pool replaces it. */
  onConnectionLost: (error: Error) => void;
  /** For migrations: no statement timeout. */
  unlimited?: boolean;
  acquireTimeoutMs?: number;
}

export class PostgresSource implements SessionSource {
  readonly #pool: pg.Pool;
  readonly #longestQueue: number;
  readonly #poolSize: number;

  constructor(options: PostgresOptions) {
    const { poolSize, onConnectionLost } = options;
    this.#poolSize = poolSize;
    this.#longestQueue = poolSize * WAITING_PER_CONNECTION;
    this.#pool = new pg.Pool(poolConfig(options));
    this.#pool.on('error', onConnectionLost);
    // Between two statements of a transaction the client has no listener, and an unhandled 'error' event ends the process.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  async acquire(): Promise<Session> {
    if (this.#pool.waitingCount >= this.#longestQueue) {
      throw new DatabaseUnavailable('Too many requests are waiting for the database: try again later.');
    }
    return new PostgresSession(await this.#pool.connect());
  }

  usage(): SessionUsage {
    const { totalCount, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { used: totalCount - idle, idle, waiting, most: this.#poolSize };
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

function poolConfig({ url, poolSize, unlimited, acquireTimeoutMs = ACQUIRE_TIMEOUT_MS }: PostgresOptions): PoolConfig {
  return {
    connectionString: url,
    application_name: 'foyer',
    max: poolSize,
    connectionTimeoutMillis: acquireTimeoutMs,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    types: TYPES,
    ...(unlimited ? {} : LIMITS),
  };
}

class PostgresSession implements Session {
  constructor(private readonly client: PoolClient) {}

  async query({ text, values, name }: StatementText): Promise<StatementResult> {
    const query = { text, values: [...values], ...(name === undefined ? {} : { name }) };
    const { rows, rowCount } = await this.client.query<Record<string, unknown>>(query);
    return { rows, affected: rowCount ?? 0 };
  }

  release(broken: boolean): void {
    this.client.release(broken);
  }
}
