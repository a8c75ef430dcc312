/**
 * A job queue in a table: each row is leased to one worker at a time. If the worker dies, the lease expires and the row
 * is tried again (at-least-once delivery). The number of the try identifies the claim, so that a worker that is late cannot
 * overwrite the result of a later worker. Each table has its own columns, delays, limits and events.
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

/** A table with the columns `id`, `tries`, `next_try_at` and `claimed_until`. */
export interface QueueTable {
  table: 'outbox' | 'revocation_job' | 'account_job';
  /** Must be longer than one job takes. */
  leaseSeconds: number;
  retry: RetryDelay;
  /** Further columns that a claim returns, for the claimed row `q`. */
  columns: (now: RawBuilder<Date>) => RawBuilder<unknown>;
  /** Condition for waiting rows. Default: all rows. */
  waits?: RawBuilder<boolean>;
  /** Order in which due rows are claimed. Default: the time at which they became due. */
  order?: RawBuilder<unknown>;
}

type ClaimKey = Record<'id' | 'tries', number>;

export class LeaseQueue<Row extends Claim> {
  readonly #claim: Statement<{ most: number }, Row>;
  readonly #claimOldest: Statement<{ most: number }, Row>;
  readonly #claimForAccount: Statement<{ account: string }, Row>;
  readonly #postpone: Statement<ClaimKey & { seconds: number }, never>;
  readonly #retry: RetryDelay;

  constructor({ table: name, leaseSeconds, retry, columns, waits = sql<boolean>`true`, order }: QueueTable) {
    const table = sql.table(name);
    const lease = sql.raw<Date>(`interval '${leaseSeconds} seconds'`);
    const claimRows = (now: RawBuilder<Date>) =>
      sql`update ${table} q set claimed_until = ${now} + ${lease}, tries = q.tries + 1`;
    const returnRows = (now: RawBuilder<Date>) => sql`returning q.id, q.tries, ${columns(now)}`;
    this.#retry = retry;
    const claim = (label: string, ordering: RawBuilder<unknown>) =>
      new Statement<{ most: number }, Row>(
        label,
        ({ param, now }) => sql<Row>`${claimRows(now)}
          where id = any (array(
            select id from ${table}
            where ${waits} and next_try_at <= ${now} and (claimed_until is null or claimed_until <= ${now})
            order by ${ordering} limit ${param('most')}::integer for update skip locked))
          ${returnRows(now)}`,
      );
    this.#claimOldest = claim(`${name}.claim-oldest`, sql`next_try_at`);
    this.#claim = order ? claim(`${name}.claim`, order) : this.#claimOldest;
    this.#claimForAccount = new Statement(
      `${name}.claim-of`,
      ({ param, now }) =>
        sql<Row>`${claimRows(now)} where ${waits} and account_id = ${param('account')}::uuid ${returnRows(now)}`,
    );
    this.#postpone = new Statement(
      `${name}.later`,
      ({ param, now }) => sql`
        update ${table}
        set claimed_until = null, next_try_at = ${now} + ${interval(param('seconds'))}
        where id = ${param('id')} and tries = ${param('tries')} and ${waits}`,
    );
  }

  /** @returns at most this many due rows */
  claim(database: Database, most: number): Promise<Row[]> {
    return database.run(this.#claim, { most });
  }

  /** @returns at most this many due rows, in the order in which they became due, even if the table has another order */
  claimOldest(database: Database, most: number): Promise<Row[]> {
    return database.run(this.#claimOldest, { most });
  }

  /** @returns all rows of one account, even if they are not due or are already claimed */
  claimForAccount(database: Database, account: string): Promise<Row[]> {
    return database.run(this.#claimForAccount, { account });
  }

  /** Schedules another try; the delay grows with each try. */
  async postpone(database: Database, { id, tries }: Claim): Promise<void> {
    await database.run(this.#postpone, { id, tries, seconds: computeRetrySeconds(this.#retry, tries) });
  }
}
