/**
 * Errors of the storage. Each message is a sentence for the operator that says what to do; none contains SQL, values or
 * credentials.
 */
export abstract class DatabaseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** Unreachable, full, read-only or too slow. The request may be repeated later (503). */
export class DatabaseUnavailable extends DatabaseError {}

/** The server cancelled the making of an index: its time limit, or an operator. */
export class IndexInterrupted extends DatabaseUnavailable {
  constructor(name: string) {
    super(
      `The index ${name} was not finished: the server cancelled it. If the user in DATABASE_URL has a statement_timeout or lock_timeout and a ` +
        'connection pooler is in between, start once with a DATABASE_URL that leads to PostgreSQL itself.',
    );
  }
}

/** A statement was cancelled by the server: a time limit, or an operator. */
export class StatementCancelled extends DatabaseUnavailable {}

/** A named statement is not known, or known already, on the connection: a pooler gave it to somebody else in between. */
export class StatementLost extends DatabaseUnavailable {
  constructor() {
    super('A connection pooler between Foyer and PostgreSQL does not keep prepared statements: set DATABASE_STATEMENTS=unnamed.');
  }
}

/** DATABASE_STATEMENTS=named, behind a connection pooler that shares connections and does not keep named statements. */
export class PoolerUnsuitable extends DatabaseError {
  constructor() {
    super(
      'DATABASE_STATEMENTS=named, but the connection pooler in DATABASE_URL does not keep prepared statements: set ' +
        'max_prepared_statements there (PgBouncer 1.21 or later), or remove DATABASE_STATEMENTS.',
    );
  }
}

/** Another running process has the embedded database open; two would lose data. */
export class DataDirectoryInUse extends DatabaseError {}

/** The data directory cannot be read or written, or its content is not a database of this version. */
export class DataDirectoryUnusable extends DatabaseError {}

/** The tables are from before the first release, or of another product. They are left unchanged. */
export class DatabaseNotReleased extends DatabaseError {
  constructor() {
    super(
      'The database was not made by a released version of Foyer, and data from before v0.1.0 is not migrated: start with a ' +
        'fresh data directory (DATA_DIR), or with an empty database (DATABASE_URL) on a server; nothing was changed or deleted.',
    );
  }
}

/** A defect: the database was used outside the current transaction. */
export class TransactionMisuse extends DatabaseError {}

/**
 * The database refused a statement: a constraint or a defect. PostgreSQL's detail contains values (`Key (email)=(…)`),
 * so it is dropped here and cannot be logged.
 */
export class StatementFailed extends DatabaseError {
  constructor(
    readonly sqlState: string,
    readonly constraint: string | undefined,
    explanation: string,
  ) {
    super(`The database refused a statement (${sqlState}${constraint ? `, ${constraint}` : ''})${explanation}`);
  }
}
