/** Maps errors of `pg`, PGlite and the network to `DatabaseError`. Only this file reads SQLSTATE codes (PostgreSQL, appendix A). */
import { DatabaseError, DatabaseUnavailable, StatementCancelled, StatementFailed, StatementLost } from './database.errors.js';

const UNIQUE_VIOLATION = '23505';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';
/** 57014: `statement_timeout` or an operator; 55P03: `lock_timeout`. */
const CANCELLED_STATES = ['57014', '55P03'];

/** SQLSTATE classes that concern the server and not the statement. */
const UNAVAILABLE_CLASSES = ['08', '53', '57', '58', 'XX'];
/** 25006: read-only after a failover; 55P03: `lock_timeout`; 25P03: `idle_in_transaction_session_timeout`. */
const UNAVAILABLE_STATES = ['25006', '55P03', '25P03'];
/** A named statement does not exist or exists already: a pooler has given the connection to another client. */
const STATEMENT_LOST_STATES = ['26000', '42P05'];
/** Connection exceptions, whose messages never contain values. */
const CONNECTION_CLASS = '08';
const INSUFFICIENT_PRIVILEGE = '42501';
/** Wrong password or role, unknown database, or no privilege: waiting does not help. */
const REFUSED_STATES = ['28000', '28P01', '3D000', INSUFFICIENT_PRIVILEGE];
/** Errors of syntax and names, whose messages contain our SQL and never values. */
const DEFECT_CLASS = '42';

/** Explanations of the states about which an operator can do something. */
const REASONS: Readonly<Record<string, string>> = {
  '25006': 'it is read-only',
  '53100': 'its volume is full',
  '53300': 'no connection is left for the user or the database in DATABASE_URL, or at the server',
  '55P03': 'a lock was not granted within lock_timeout',
  '57014': 'a statement was cancelled, by statement_timeout or an operator',
};

const TOO_MANY_CONNECTIONS = '53300';

interface DriverError {
  code?: unknown;
  message?: unknown;
  constraint?: unknown;
}

/** Converts an error of a driver. Keeps `TypeError`, `RangeError` and errors that are already converted. */
export function nameFailure(error: unknown): Error {
  if (error instanceof DatabaseError || error instanceof TypeError || error instanceof RangeError) return error;
  const driverError: DriverError = typeof error === 'object' && error !== null ? error : {};
  const state = typeof driverError.code === 'string' && /^[0-9A-Z]{5}$/.test(driverError.code) ? driverError.code : undefined;
  if (state !== undefined && STATEMENT_LOST_STATES.includes(state)) return new StatementLost();
  if (state === undefined || isAboutTheServer(state)) {
    // The original error is dropped: PGlite's errors contain the statement's values.
    const kind = state !== undefined && CANCELLED_STATES.includes(state) ? StatementCancelled : DatabaseUnavailable;
    return new kind(`The database is not available (${toServerReason(state, driverError)}): try again later.`);
  }
  return toStatementFailed(state, driverError);
}

function toStatementFailed(state: string, { message, constraint }: DriverError): StatementFailed {
  const explanation = state.startsWith(DEFECT_CLASS) && typeof message === 'string' ? `: ${message}` : '';
  return new StatementFailed(state, typeof constraint === 'string' ? constraint : undefined, explanation);
}

function toServerReason(state: string | undefined, driverError: DriverError): string {
  if (state === undefined) return toNetworkReason(driverError);
  const reason = REASONS[state];
  if (reason !== undefined) return `${state}: ${reason}`;
  return state.startsWith(CONNECTION_CLASS) && typeof driverError.message === 'string'
    ? `${state}: ${driverError.message}`
    : state;
}

function toNetworkReason({ code, message }: DriverError): string {
  if (typeof code === 'string') return code;
  return typeof message === 'string' && message !== '' ? message : 'no reason given';
}

function isAboutTheServer(state: string): boolean {
  return UNAVAILABLE_CLASSES.includes(state.slice(0, 2)) || UNAVAILABLE_STATES.includes(state);
}

/** Whether an error of `pg` reports that the user, the database or the server has reached its limit of connections. */
export function isConnectionRefused(error: unknown): error is Error {
  return error instanceof Error && (error as DriverError).code === TOO_MANY_CONNECTIONS;
}

/** Whether the same work may succeed when it is repeated. */
export function isWorthRepeating(error: unknown): boolean {
  return error instanceof StatementFailed && [SERIALIZATION_FAILURE, DEADLOCK_DETECTED].includes(error.sqlState);
}

export function isCancelled(error: unknown): boolean {
  return error instanceof StatementCancelled;
}

export function isRefusal(error: unknown): boolean {
  return error instanceof StatementFailed && REFUSED_STATES.includes(error.sqlState);
}

/** Whether the database user lacks a privilege, for example to connect or to create a table. */
export function lacksPrivilege(error: unknown): boolean {
  return error instanceof StatementFailed && error.sqlState === INSUFFICIENT_PRIVILEGE;
}

export function violatesUnique(error: unknown, constraint: string): boolean {
  return error instanceof StatementFailed && error.sqlState === UNIQUE_VIOLATION && error.constraint === constraint;
}
