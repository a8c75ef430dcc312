/**
 * What can go wrong with the storage, by name. Each message is a sentence for the person who runs the installation and
 * says what to do; none carries SQL, values or credentials.
 */
export abstract class DatabaseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** Down, full, read-only or too slow. The request may be tried again later (503). */
export class DatabaseUnavailable extends DatabaseError {}

/** Another living process has the embedded database open; two of them would lose data. */
export class DataDirectoryInUse extends DatabaseError {}

/** The data directory cannot be read or written, or what lies in it is no database of this version. */
export class DataDirectoryUnusable extends DatabaseError {}

/** The tables are of a version before the first release, or of another product. They are left as they are. */
export class DatabaseNotReleased extends DatabaseError {
  constructor() {
    super(
      'The database was not made by a released version of Foyer, and data from before v0.1.0 is not migrated: start with a ' +
        'fresh data directory (DATA_DIR), or with an empty database (DATABASE_URL) on a server; nothing was changed or deleted.',
    );
  }
}

/** A defect of ours: the database was used beside the transaction that the caller is in. */
export class TransactionMisuse extends DatabaseError {}

/**
 * The database understood and refused a statement: a constraint, or a defect of ours. PostgreSQL's own detail repeats
 * values (`Key (email)=(…)`), so it is left behind here and cannot reach a log.
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
