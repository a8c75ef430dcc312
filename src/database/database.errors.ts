/**
 * The errors of the database. Each message is a sentence for the operator, and says what to do if an operator can do something. No
 * message contains values or credentials.
 */
export abstract class DatabaseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/**
 * The database is unreachable, closed, full, read-only or too slow, or refuses the user at the start. A request may be repeated later
 * (503).
 */
export class DatabaseUnavailable extends DatabaseError {}

/** The server cancelled the creation of an index, because of a time limit or an operator. */
export class IndexInterrupted extends DatabaseUnavailable {
  constructor(name: string) {
    super(
      `The server cancelled the creation of the index ${name}. If the user in DATABASE_URL has a statement_timeout or lock_timeout ` +
        'and DATABASE_URL leads through a connection pooler, start once with a DATABASE_URL that leads directly to PostgreSQL.',
    );
  }
}

/** The server cancelled a statement, because of a time limit or an operator. */
export class StatementCancelled extends DatabaseUnavailable {}

/** A connection lacks a named statement, or has it already: a pooler has given the server connection to another client. */
export class StatementLost extends DatabaseUnavailable {
  constructor() {
    super('A connection pooler between Foyer and PostgreSQL does not keep prepared statements: set DATABASE_STATEMENTS=unnamed.');
  }
}

/** The settings require named statements, but the connection pooler shares connections and does not keep named statements. */
export class PoolerUnsuitable extends DatabaseError {
  constructor() {
    super(
      'DATABASE_STATEMENTS=named cannot be used, because the connection pooler in DATABASE_URL does not keep prepared statements: set ' +
        'max_prepared_statements there (PgBouncer 1.21 or later), or remove DATABASE_STATEMENTS.',
    );
  }
}

/** Another running process has the embedded database open. Two processes at the same time would lose data. */
export class DataDirectoryInUse extends DatabaseError {}

/** The data directory cannot be read or written, or its content is not a database of this version. */
export class DataDirectoryUnusable extends DatabaseError {}

/** The tables are from before the first release, or belong to another product. They are left unchanged. */
export class DatabaseNotReleased extends DatabaseError {
  constructor() {
    super(
      'The database was not created by a released version of Foyer, and data from before v0.1.0 is not migrated: start with a ' +
        'fresh data directory (DATA_DIR), or with an empty database (DATABASE_URL) on a server; nothing was changed or deleted.',
    );
  }
}

/** A defect in Foyer: a statement inside a transaction did not use that transaction, or used a transaction after its end. */
export class TransactionMisuse extends DatabaseError {}

/**
 * The database refused a statement, because of a constraint or a defect in Foyer. PostgreSQL's `detail` contains values
 * (`Key (email)=(…)`), so it is dropped and cannot be logged.
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
