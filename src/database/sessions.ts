/**
 * The little that is asked of a database connection, so that `pg` and PGlite are used in one way (`driver.ts`) and the
 * guards are written once.
 */
export interface StatementText {
  text: string;
  values: readonly unknown[];
  /** Lets the server keep parse and plan under this name. */
  name?: string;
}

export interface StatementResult {
  rows: unknown[];
  affected: number;
}

export interface Session {
  query(statement: StatementText): Promise<StatementResult>;
  /** @param broken the connection must not be used again */
  release(broken: boolean): void;
}

/** Of a source, at the moment. */
export interface SessionUsage {
  used: number;
  idle: number;
  waiting: number;
  most: number;
}

export interface SessionSource {
  usage(): SessionUsage;
  /** Waits for a free session within bounds; throws DatabaseUnavailable beyond them. */
  acquire(): Promise<Session>;
  close(): Promise<void>;
}
