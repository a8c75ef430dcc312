/**
 * A job queue in a table: each row is leased to one worker at a time, except by `claimForAccount`. If the worker dies, the lease
 * expires and the row is tried again (at-least-once delivery). The number of the try identifies the claim, so that a worker that is
 * late cannot overwrite the result of a later worker. The code that uses a queue limits the tries and removes or marks finished rows.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../database/database.js';
import { Statement, interval } from '../../database/statement.js';
import { computeRetrySeconds, type RetryDelay } from './retry-delay.js';

export interface Claim {
  id: number;
  /** Number of this try, from 1. */
  tries: number;
}

/** A table with the columns `id`, `tries`, `next_try_at` and `claimed_until`; `claimForAccount` also needs `account_id`. */
export interface QueueTable {
  table: 'outbox' | 'revocation_job' | 'account_job' | 'event_delivery';
  /** Must be longer than one job takes. */
  leaseSeconds: number;
  retry: RetryDelay;
  /** Further columns that a claim returns, for the claimed row `q`. */
  columns: (now: RawBuilder<Date>) => RawBuilder<unknown>;
  /** Condition for waiting rows. Default: all rows. */
  isWaiting?: RawBuilder<boolean>;
  partition?: QueuePartition;
  /** Order in which due rows are claimed. Default: the time at which they became due. */
  order?: RawBuilder<unknown>;
}

/** Divides the table into separate queues (`claimFrom`). */
export interface QueuePartition {
  column: string;
  /** Number of due rows that one claim examines. */
  window: number;
  /** A further condition for an examined row. @param value the value of the column @param row name of the row */
  condition: (value: RawBuilder<string>, row: string) => RawBuilder<boolean>;
}

type ClaimKey = Record<'id' | 'tries', number>;

export class LeaseQueue<Row extends Claim> {
  readonly #claim: Statement<{ max: number }, Row>;
  readonly #claimOldest: Statement<{ max: number }, Row>;
  readonly #claimForAccount: Statement<{ account: string }, Row>;
  readonly #claimFrom: Statement<{ value: string; max: number }, Row> | undefined;
  readonly #postpone: Statement<ClaimKey & { seconds: number }, never>;
  readonly #retry: RetryDelay;

  constructor({ table: name, leaseSeconds, retry, columns, isWaiting = sql<boolean>`true`, order, partition }: QueueTable) {
    const table = sql.table(name);
    const lease = sql.raw<Date>(`interval '${leaseSeconds} seconds'`);
    const claimRows = (now: RawBuilder<Date>) =>
      sql`update ${table} q set claimed_until = ${now} + ${lease}, tries = q.tries + 1`;
    const returnRows = (now: RawBuilder<Date>) => sql`returning q.id, q.tries, ${columns(now)}`;
    this.#retry = retry;
    const claim = (label: string, ordering: RawBuilder<unknown>) =>
      new Statement<{ max: number }, Row>(
        label,
        ({ param, now }) => sql<Row>`${claimRows(now)}
          where id = any (array(
            select id from ${table}
            where ${isWaiting} and next_try_at <= ${now} and (claimed_until is null or claimed_until <= ${now})
            order by ${ordering} limit ${param('max')}::integer for update skip locked))
          ${returnRows(now)}`,
      );
    this.#claimOldest = claim(`${name}.claim-oldest`, sql`next_try_at`);
    this.#claim = order ? claim(`${name}.claim`, order) : this.#claimOldest;
    this.#claimForAccount = new Statement(
      `${name}.claim-of`,
      ({ param, now }) =>
        sql<Row>`${claimRows(now)} where ${isWaiting} and account_id = ${param('account')}::uuid ${returnRows(now)}`,
    );
    this.#claimFrom = partition && buildClaimFrom({ name, leaseSeconds, isWaiting, order, partition, claimRows, returnRows });
    this.#postpone = new Statement(
      `${name}.later`,
      ({ param, now }) => sql`
        update ${table}
        set claimed_until = null, next_try_at = ${now} + ${interval(param('seconds'))}
        where id = ${param('id')} and tries = ${param('tries')} and ${isWaiting}`,
    );
  }

  /** @returns at most `max` due rows */
  claim(database: Database, max: number): Promise<Row[]> {
    return database.run(this.#claim, { max });
  }

  /** @returns at most `max` of the due rows that became due first, even if the table has another order */
  claimOldest(database: Database, max: number): Promise<Row[]> {
    return database.run(this.#claimOldest, { max });
  }

  /** @returns at most `max` due rows whose `partition.column` has this value */
  claimFrom(database: Database, value: string, max: number): Promise<Row[]> {
    if (!this.#claimFrom) throw new TypeError('claimFrom requires a queue with a partition.');
    return database.run(this.#claimFrom, { value, max });
  }

  /** @returns all waiting rows of one account, even if they are not due or are already claimed */
  claimForAccount(database: Database, account: string): Promise<Row[]> {
    return database.run(this.#claimForAccount, { account });
  }

  /**
   * Schedules another try; the delay grows with each try.
   * @param minDelaySeconds the minimum delay, limited to the longest delay of the queue
   */
  async postpone(database: Database, { id, tries }: Claim, minDelaySeconds = 0): Promise<void> {
    const minSeconds = Math.min(minDelaySeconds, this.#retry.longestSeconds);
    await database.run(this.#postpone, { id, tries, seconds: Math.max(computeRetrySeconds(this.#retry, tries), minSeconds) });
  }
}

interface ClaimFromParts extends Pick<QueueTable, 'leaseSeconds'>, Required<Pick<QueueTable, 'isWaiting' | 'partition'>> {
  order: RawBuilder<unknown> | undefined;
  name: string;
  claimRows: (now: RawBuilder<Date>) => RawBuilder<unknown>;
  returnRows: (now: RawBuilder<Date>) => RawBuilder<unknown>;
}

function buildClaimFrom<Row>({
  name,
  leaseSeconds,
  isWaiting,
  order = sql`next_try_at`,
  partition,
  claimRows,
  returnRows,
}: ClaimFromParts) {
  // A lease that ends later than this was written before the clock was set back. The extra minute is for transactions that began at
  // different times.
  const longLease = sql.raw<Date>(`interval '${leaseSeconds + 60} seconds'`);
  const table = sql.table(name);
  const isFree = (now: RawBuilder<Date>) =>
    sql`(claimed_until is null or claimed_until <= ${now} or claimed_until > ${now} + ${longLease})`;
  // The row is read again where it is locked, so that a row that another worker has just claimed does not match.
  return new Statement<{ value: string; max: number }, Row>(
    `${name}.claim-from`,
    ({ param, now }) => sql<Row>`${claimRows(now)}
      where id = any (array(
        select locked.id
        from (
          select ctid as row_address, * from ${table}
          where ${sql.ref(partition.column)} = ${param('value')}::text and ${isWaiting} and next_try_at <= ${now}
          order by ${order} limit ${sql.lit(partition.window)}) due
        cross join lateral (
          select id from ${table}
          where ctid = due.row_address and ${isWaiting} and next_try_at <= ${now} and ${isFree(now)} for update skip locked) locked
        where ${isFree(now)} and ${partition.condition(param('value'), 'due')}
        limit ${param('max')}::integer))
      ${returnRows(now)}`,
  );
}
