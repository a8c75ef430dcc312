/**
 * Sessions of a PostgreSQL server over a bounded pool. The wait for a connection has a limit and, except in migrations, so do the waits
 * for an answer and for a lock and, on the server, an idle transaction. An external connection pooler shares connections of the server, so nothing may
 * stay on them: no session settings, and by default no named statements.
 */
import pg, { type PoolClient, type PoolConfig } from 'pg';
import { DatabaseUnavailable } from './database.errors.js';
import { isConnectionRefused } from './failures.js';
import { realPause } from './pause.js';
import type { Session, SessionSource, SessionUsage, StatementResult, StatementText } from './sessions.js';

const ACQUIRE_TIMEOUT_MS = 3000;
/** In milliseconds. The names are those of the PostgreSQL settings. */
const LIMITS = {
  statement_timeout: 5000,
  lock_timeout: 3000,
  idle_in_transaction_session_timeout: 15_000,
} satisfies PoolConfig;
/** Longer than `statement_timeout`, so that it ends only statements that the server no longer answers. */
const QUERY_TIMEOUT_MS = 6000;
/** The limits as `set local`, so that the next client of the same server connection does not inherit them. */
const TRANSACTION_LIMITS = Object.entries(LIMITS)
  .map(([name, milliseconds]) => `set local ${name} = ${milliseconds}`)
  .join('; ');
const IDLE_CONNECTION_MS = 30_000;
const MAX_WAITING_PER_CONNECTION = 50;
/** How long no further connection is opened after the server has refused a connection. */
const LOWERED_CEILING_MS = 10_000;
/** How long to wait, while no connection is open yet, before asking the pool again. */
const OPENING_PAUSE_MS = 50;

/** Parses int8 (`count(*)`, identities) as a number, as in PGlite; all values are far below 2^53. */
const TYPES = new pg.TypeOverrides();
TYPES.setTypeParser(pg.types.builtins.INT8, Number);

export interface PostgresOptions {
  url: string;
  poolSize: number;
  /** Called when an idle connection broke; the pool replaces it. */
  onConnectionLost: (error: Error) => void;
  /** Sets no time limits for statements, locks and transactions, for migrations. */
  unlimited?: boolean;
  /** The URL leads through a connection pooler, which refuses the limits as parameters of a connection: transactions set them instead. */
  pooled?: boolean;
  /** Sends statements without names, because a pooler may give a statement to a server connection without the name. */
  unnamed?: boolean;
  acquireTimeoutMs?: number;
}

export class PostgresSource implements SessionSource {
  readonly #pool: pg.Pool;
  readonly #maxQueueLength: number;
  readonly #poolSize: number;
  readonly #unnamed: boolean;
  readonly #acquireTimeoutMs: number;
  /** Connections that the server has granted, idle or in use. */
  #openConnections = 0;
  #refusals = 0;
  #raiseTimer: NodeJS.Timeout | undefined;
  readonly transactionLimits: string | undefined;

  constructor(options: PostgresOptions) {
    const { poolSize, onConnectionLost, pooled = false, unlimited = false, unnamed = false } = options;
    this.#poolSize = poolSize;
    this.#unnamed = unnamed;
    this.#acquireTimeoutMs = options.acquireTimeoutMs ?? ACQUIRE_TIMEOUT_MS;
    this.transactionLimits = pooled && !unlimited ? TRANSACTION_LIMITS : undefined;
    this.#maxQueueLength = poolSize * MAX_WAITING_PER_CONNECTION;
    this.#pool = new pg.Pool(toPoolConfig(options));
    this.#pool.on('error', onConnectionLost);
    // Between two statements of a transaction the client has no listener, and an unhandled 'error' event would end the process.
    this.#pool.on('connect', (client) => {
      this.#openConnections += 1;
      client.on('error', () => undefined);
    });
    this.#pool.on('remove', () => (this.#openConnections -= 1));
  }

  async acquire(): Promise<Session> {
    if (this.#pool.waitingCount >= this.#maxQueueLength) {
      throw new DatabaseUnavailable('Too many requests are waiting for the database: try again later.');
    }
    try {
      return await this.#connect();
    } catch (error) {
      if (!isConnectionRefused(error)) throw error;
      return this.#waitForOpen(error);
    }
  }

  #connect(): Promise<Session> {
    return new Promise((resolve, reject) => {
      // Uses a callback, because the promise of the pool captures a stack trace for each error, which is never read.
      this.#pool.connect((error, client) => {
        if (isConnectionRefused(error)) this.#refusals += 1;
        if (client) resolve(new PostgresSession(client, this.#unnamed));
        else reject(error ?? new Error('The pool returned no connection.'));
      });
    });
  }

  /**
   * Waits for an open connection to become free, after the server has refused a further connection.
   * @throws `refusal` if the pool has no connection, or none becomes free in time; any other error of the pool
   */
  async #waitForOpen(refusal: Error): Promise<Session> {
    const deadline = performance.now() + this.#acquireTimeoutMs;
    while (this.#pool.totalCount > 0 && performance.now() < deadline) {
      this.#lowerCeiling();
      if (this.#openConnections === 0) await realPause(OPENING_PAUSE_MS);
      const session = await this.#connectUntil(deadline).catch((error: unknown) => {
        if (isConnectionRefused(error)) return null;
        throw error;
      });
      if (session) return session;
    }
    throw refusal;
  }

  /** @returns null after the deadline; a connection that arrives later is released */
  async #connectUntil(deadline: number): Promise<Session | null> {
    const connection = this.#connect();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<null>(
      (resolve) => (timer = setTimeout(resolve, Math.max(0, deadline - performance.now()), null)),
    );
    const session = await Promise.race([connection, timeout]).finally(() => clearTimeout(timer));
    if (session === null) connection.then((lateSession) => lateSession.release(false)).catch(() => undefined);
    return session;
  }

  /** Limits the pool to its open connections for a while, so that it does not ask the server for more. */
  #lowerCeiling(): void {
    this.#pool.options.max = Math.max(1, this.#openConnections);
    clearTimeout(this.#raiseTimer);
    this.#raiseTimer = setTimeout(() => (this.#pool.options.max = this.#poolSize), LOWERED_CEILING_MS).unref();
  }

  usage(): SessionUsage {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    const usedCount = totalCount - idleCount;
    return { usedCount, idleCount, waitingCount, max: this.#pool.options.max, refusalCount: this.#refusals };
  }

  async close(): Promise<void> {
    clearTimeout(this.#raiseTimer);
    await this.#pool.end();
  }
}

function toPoolConfig(options: PostgresOptions): PoolConfig {
  const { url, poolSize, unlimited, pooled, acquireTimeoutMs = ACQUIRE_TIMEOUT_MS } = options;
  return {
    connectionString: url,
    application_name: 'foyer',
    max: poolSize,
    connectionTimeoutMillis: acquireTimeoutMs,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    keepAlive: true,
    types: TYPES,
    ...(unlimited ? {} : { query_timeout: QUERY_TIMEOUT_MS }),
    ...(unlimited || pooled ? {} : LIMITS),
  };
}

/** `pg` stores the process id from the start of the connection, but its types lack it. */
type Client = PoolClient & { processID: number | null };

/** `pg` reads these members of a query, but its types lack them. */
type PreparedQuery = pg.Query & {
  name?: string;
  callback?: (error: Error | null, result?: pg.QueryResult | pg.QueryResult[]) => void;
};

class PostgresSession implements Session {
  constructor(
    private readonly client: PoolClient,
    private readonly unnamed: boolean,
  ) {}

  get processId(): number | null {
    return (this.client as Client).processID;
  }

  query({ text, values, name }: StatementText): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      // Uses a query object, because the client would copy a plain object property by property.
      const query: PreparedQuery = new pg.Query(text, [...values]);
      if (name !== undefined && !this.unnamed) query.name = name;
      query.callback = (error, result) => {
        if (error) return reject(error);
        // Several statements in one text have several results.
        const { rows = [], rowCount } = (Array.isArray(result) ? result.at(-1) : result) ?? {};
        resolve({ rows, affectedCount: rowCount ?? 0 });
      };
      this.client.query(query);
    });
  }

  release(broken: boolean): void {
    this.client.release(broken);
  }
}
