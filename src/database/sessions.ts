/** The interface of a database connection, which `postgres.ts` and `embedded.ts` implement for `driver.ts`. */

export interface StatementText {
  text: string;
  values: readonly unknown[];
  /** The server caches the parsed statement and its plan under this name. */
  name?: string;
}

export interface StatementResult {
  rows: unknown[];
  affectedCount: number;
}

export interface Session {
  /** Id of the server process, as the server reported it at the start of the connection; absent for PGlite. */
  readonly processId?: number | null;
  query(statement: StatementText): Promise<StatementResult>;
  /** @param broken the connection must not be used again */
  release(broken: boolean): void;
}

/** The current usage of a source. */
export interface SessionUsage {
  usedCount: number;
  idleCount: number;
  /** Number of requests that wait for a session. */
  waitingCount: number;
  /** The limit of the pool; below `DATABASE_POOL_SIZE` while the server refuses further connections. */
  max: number;
  /** How often the server has refused a further connection since the start. */
  refusalCount: number;
}

export interface SessionSource {
  /** Statements at the beginning of each transaction, for connections that cannot store settings. */
  readonly transactionLimits?: string | undefined;
  usage(): SessionUsage;
  /** Waits for a free session for a limited time. @throws DatabaseUnavailable, or an error of `pg`, which `driver.ts` maps */
  acquire(): Promise<Session>;
  close(): Promise<void>;
}
