/** The database: statements, transactions and the authoritative time. `open-database.ts` opens it. */
import { randomInt } from 'node:crypto';
import { Kysely, sql, type RawBuilder, type Transaction } from 'kysely';
import type { Clock } from '../config/clock.js';
import { TELEMETRY_OFF, type Telemetry } from '../telemetry/telemetry.js';
import { DatabaseUnavailable } from './database.errors.js';
import { SessionDialect, runAlone, type SessionDriver } from './driver.js';
import { repeat, type RepeatOptions } from './repeat.js';
import type { Schema } from './schema.js';
import type { SessionSource, SessionUsage } from './sessions.js';
import { Statement, buildTime, type FindSinks } from './statement.js';
import { TransactionScope } from './transaction-scope.js';

const MAX_BACK_OFF_MS = 40;
const REPEAT_OPTIONS: RepeatOptions = { tries: 4, pauseMs: (attempt) => randomInt(MAX_BACK_OFF_MS * attempt) };
const TRANSACTION_TIMEOUT_MS = 10_000;

export interface DatabaseParts {
  source: SessionSource;
  dialect: 'postgresql' | 'pglite';
  clock: Clock;
  transactionTimeoutMs?: number;
  telemetry?: Telemetry;
}

const PING = new Statement<Record<string, never>, unknown>('ping', () => sql`select 1`);

export class Database {
  readonly db: Kysely<Schema>;
  readonly dialect: 'postgresql' | 'pglite';
  readonly #source: SessionSource;
  readonly #driver: SessionDriver;
  readonly #clock: Clock;
  readonly #scope = new TransactionScope();
  readonly #transactionTimeoutMs: number;
  #findSinks: FindSinks | null = null;
  #closing: Promise<void> | undefined;

  constructor({
    source,
    dialect,
    clock,
    transactionTimeoutMs = TRANSACTION_TIMEOUT_MS,
    telemetry = TELEMETRY_OFF,
  }: DatabaseParts) {
    const sessions = new SessionDialect(source, this.#scope, telemetry);
    this.db = new Kysely<Schema>({ dialect: sessions });
    this.#driver = sessions.createDriver();
    this.dialect = dialect;
    this.#source = source;
    this.#clock = clock;
    this.#transactionTimeoutMs = transactionTimeoutMs;
  }

  /** The time of the database, which is the same for every replica, plus the skew of the injected clock. */
  now(): RawBuilder<Date> {
    return buildTime(this.#clock.skewMs);
  }

  /** From now on, statements that record events also write the deliveries for the sinks that receive them. */
  routeEvents(findSinks: FindSinks): void {
    this.#findSinks = findSinks;
  }

  /** @param trx transaction in which the statement runs; without it, the statement is its own transaction */
  async run<Params extends Record<string, unknown>, Row>(
    statement: Statement<Params, Row>,
    values: Params,
    trx?: Transaction<Schema>,
  ): Promise<Row[]> {
    const query = statement.fill(values, this.#clock.skewMs, this.#findSinks);
    if (trx) return (await trx.executeQuery(query)).rows;
    return repeat(() => runAlone(this.#driver, query), REPEAT_OPTIONS);
  }

  /**
   * Runs `work` in a transaction. After a deadlock or serialization failure `work` runs again, so it must not change anything
   * outside the database. All statements of `work` must use `trx`; others throw TransactionMisuse.
   */
  async transaction<T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
    return repeat(() => this.#runTransaction(work), REPEAT_OPTIONS);
  }

  /** Runs `step` after the current transaction is committed, and not if it is rolled back; outside a transaction, immediately. */
  runAfterCommit(step: () => void): void {
    this.#scope.runAfterCommit(step);
  }

  usage(): SessionUsage {
    return this.#source.usage();
  }

  /** @throws DatabaseUnavailable */
  async ping(): Promise<void> {
    await this.run(PING, {});
  }

  /** Waits for running statements for a limited time. Later statements are refused. */
  close(): Promise<void> {
    return (this.#closing ??= this.#source.close());
  }

  async #runTransaction<T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
    const steps: (() => void)[] = [];
    const result = await this.db.transaction().execute((trx) => this.#scope.run(steps, () => this.#limitTime(work(trx))));
    for (const step of steps) step();
    return result;
  }

  async #limitTime<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new DatabaseUnavailable('A transaction took too long and was rolled back: try again later.'));
      }, this.#transactionTimeoutMs);
    });
    return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
  }
}
