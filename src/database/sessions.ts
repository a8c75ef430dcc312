/** The interface of a database connection, common to `pg` and PGlite (`driver.ts`). */
export interface StatementText {
  text: string;
  values: readonly unknown[];
  /** The server caches parse and plan under this name. */
  name?: string;
}

export interface StatementResult {
  rows: unknown[];
  affected: number;
}

export interface Session {
  /** Process of the server that answered the start of the connection; absent for PGlite. */
  readonly processId?: number | null;
  query(statement: StatementText): Promise<StatementResult>;
  /** @param broken the connection must not be used again */
  release(broken: boolean): void;
}

/** Current usage of a source. */
export interface SessionUsage {
  used: number;
  idle: number;
  waiting: number;
  /** Fewer than the settings allow while the server refuses further ones. */
  most: number;
  /** How often the server has refused a further connection since the start. */
  refused: number;
}

export interface SessionSource {
  /** Statements that each transaction begins with, where a connection cannot keep its limits. */
  readonly transactionLimits?: string | undefined;
  usage(): SessionUsage;
  /** Waits for a free session for a limited time. @throws DatabaseUnavailable */
  acquire(): Promise<Session>;
  close(): Promise<void>;
}
