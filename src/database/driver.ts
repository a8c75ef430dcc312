/**
 * The kysely dialect for both databases: PostgreSQL's SQL over any `SessionSource`. It maps errors, discards broken
 * connections, and refuses a second connection to code inside a transaction.
 */
import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import { TELEMETRY_OFF, type Telemetry } from '../telemetry/telemetry.js';
import { DatabaseUnavailable, TransactionMisuse } from './database.errors.js';
import { nameFailure } from './failures.js';
import { measureStatement } from './measure-statement.js';
import type { Session, SessionSource, StatementResult, StatementText } from './sessions.js';
import type { TransactionScope } from './transaction-scope.js';
import { defined } from '../config/defined.js';

/** A compiled statement whose plan the server may cache. */
export interface NamedQuery extends CompiledQuery {
  statementName?: string;
}

export class SessionDialect implements Dialect {
  constructor(
    private readonly source: SessionSource,
    private readonly scope: TransactionScope,
    private readonly telemetry = TELEMETRY_OFF,
  ) {}

  createDriver(): SessionDriver {
    return new SessionDriver(this.source, this.scope, this.telemetry);
  }

  createQueryCompiler(): QueryCompiler {
    return new PostgresQueryCompiler();
  }

  createAdapter(): PostgresAdapter {
    return new PostgresAdapter();
  }

  createIntrospector(db: Kysely<unknown>): PostgresIntrospector {
    return new PostgresIntrospector(db);
  }
}

export class SessionDriver implements Driver {
  constructor(
    private readonly source: SessionSource,
    private readonly scope: TransactionScope,
    private readonly telemetry: Telemetry,
  ) {}

  async init(): Promise<void> {
    // Sessions are opened on demand.
  }

  async acquireConnection(): Promise<SessionConnection> {
    this.scope.requireOutside();
    try {
      return new SessionConnection(await this.source.acquire(), this.telemetry);
    } catch (error) {
      throw nameFailure(error);
    }
  }

  async beginTransaction(connection: SessionConnection, settings: TransactionSettings): Promise<void> {
    const begin = settings.isolationLevel ? `begin isolation level ${settings.isolationLevel}` : 'begin';
    const limits = this.source.transactionLimits;
    await connection.run(limits === undefined ? begin : `${begin}; ${limits}`);
  }

  async commitTransaction(connection: SessionConnection): Promise<void> {
    await connection.run('commit');
  }

  /** Never throws: the earlier error is the relevant one. */
  async rollbackTransaction(connection: SessionConnection): Promise<void> {
    await connection.rollback();
  }

  async releaseConnection(connection: SessionConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    // The owner of the source closes it, because kysely does not close a source that was never used.
  }
}

/** Runs a compiled statement outside a transaction. It avoids kysely's executor, which would take longer than the statement. */
export async function runAlone<R>(driver: SessionDriver, query: CompiledQuery<R>): Promise<R[]> {
  const connection = await driver.acquireConnection();
  try {
    return (await connection.executeQuery<R>(query)).rows;
  } finally {
    connection.release();
  }
}

class SessionConnection implements DatabaseConnection {
  #session: Session | undefined;
  #broken = false;

  constructor(
    session: Session,
    private readonly telemetry: Telemetry,
  ) {
    this.#session = session;
  }

  async executeQuery<R>(query: NamedQuery): Promise<QueryResult<R>> {
    const { sql: text, parameters: values, statementName: name } = query;
    const { rows, affectedCount } = await this.#query({ text, values, ...defined({ name }) });
    // The type of the query determines the type of its rows.
    return { rows: rows as R[], numAffectedRows: BigInt(affectedCount) };
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not supported.');
  }

  async run(text: string): Promise<void> {
    await this.#query({ text, values: [] });
  }

  /** Does nothing on a broken connection, which is closed instead: a server that no longer answers would make the request wait again. */
  async rollback(): Promise<void> {
    if (this.#broken) return;
    await this.run('rollback').catch(() => (this.#broken = true));
  }

  release(): void {
    this.#session?.release(this.#broken);
    this.#session = undefined;
  }

  async #query(statement: StatementText): Promise<StatementResult> {
    const { telemetry } = this;
    const session = this.#session;
    if (!session) throw new TransactionMisuse('This transaction has ended.');
    try {
      if (!telemetry.isOn) return await session.query(statement);
      return await measureStatement(telemetry, statement, () => session.query(statement));
    } catch (error) {
      const failure = nameFailure(error);
      if (failure instanceof DatabaseUnavailable) this.#broken = true;
      throw failure;
    }
  }
}
