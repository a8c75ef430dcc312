/**
 * Rows of a table that wait for work, each handed to one worker at a time. A claim is a lease: whoever dies with one loses
 * it, and the row is tried again (at least once, never not at all). The number of the try is the claim's mark: a worker that
 * comes late cannot undo what a later one has written. Each table keeps its own columns, delays, limits and events.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { retrySeconds } from './retry-delay.js';
import type { RetryDelay } from './retry-delay.js';

export interface Claim {
  id: number;
  /** From 1 on: which try this is. */
  tries: number;
}

/** With `id`, `tries`, `next_try_at` and `claimed_until`. */
export interface QueueTable {
  table: 'outbox' | 'revocation_job';
  /** Longer than one piece of work takes. */
  leaseSeconds: number;
  retry: RetryDelay;
  /** What else a claim returns, of the claimed row `q`. */
  columns: (now: RawBuilder<Date>) => RawBuilder<unknown>;
  /** Only these rows wait; all of the table unless told. */
  waits?: RawBuilder<boolean>;
}

type Mark = Record<'id' | 'tries', number>;

export class LeaseQueue<Row extends Claim> {
  readonly #claim: Statement<{ most: number }, Row>;
  readonly #claimOf: Statement<{ account: string }, Row>;
  readonly #later: Statement<Mark & { seconds: number }, never>;
  readonly #retry: RetryDelay;

  constructor({ table: name, leaseSeconds, retry, columns, waits = sql<boolean>`true` }: QueueTable) {
    const table = sql.table(name);
    const lease = sql.raw<Date>(`interval '${leaseSeconds} seconds'`);
    const taken = (now: RawBuilder<Date>) => sql`update ${table} q set claimed_until = ${now} + ${lease}, tries = q.tries + 1`;
    const row = (now: RawBuilder<Date>) => sql`returning q.id, q.tries, ${columns(now)}`;
    this.#retry = retry;
    this.#claim = new Statement(
      `${name}.claim`,
      ({ slot, now }) => sql<Row>`${taken(now)}
        where id = any (array(
          select id from ${table}
          where ${waits} and next_try_at <= ${now} and (claimed_until is null or claimed_until <= ${now})
          order by next_try_at limit ${slot('most')}::integer for update skip locked))
        ${row(now)}`,
    );
    this.#claimOf = new Statement(
      `${name}.claim-of`,
      ({ slot, now }) => sql<Row>`${taken(now)} where ${waits} and account_id = ${slot('account')}::uuid ${row(now)}`,
    );
    this.#later = new Statement(
      `${name}.later`,
      ({ slot, now }) => sql`
        update ${table}
        set claimed_until = null, next_try_at = ${now} + ${slot('seconds')}::double precision * interval '1 second'
        where id = ${slot('id')} and tries = ${slot('tries')} and ${waits}`,
    );
  }

  /** @returns at most so many whose time has come */
  claim(database: Database, most: number): Promise<Row[]> {
    return database.run(this.#claim, { most });
  }

  /** @returns all of one account, whenever their time comes and whoever else has them */
  claimOf(database: Database, account: string): Promise<Row[]> {
    return database.run(this.#claimOf, { account });
  }

  /** Waits for another try, longer after each. */
  async later(database: Database, { id, tries }: Claim): Promise<void> {
    await database.run(this.#later, { id, tries, seconds: retrySeconds(this.#retry, tries) });
  }
}
