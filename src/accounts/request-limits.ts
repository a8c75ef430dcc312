/**
 * How often one address, or one person, may ask for what costs others something (a mail) or may not be tried out. Apart from the
 * counters of passwords, so that nobody who asks is kept from signing in.
 */
import { sql } from 'kysely';
import type { Config } from '../config/config.js';
import type { Keys } from '../config/keys.js';
import type { Database } from '../database/database.js';
import { Statement } from '../database/statement.js';
import { networkOf } from './attempt-keys.js';

export type CountedRequest = 'password-reset' | 'factor-reset';

/** What somebody who is signed in may do so often in an hour: each sends a mail, or tells which names exist. */
const OWN_REQUESTS = { 'recovery-codes': 10, username: 30 } as const;

export type OwnRequest = keyof typeof OWN_REQUESTS;

const HOUR_SECONDS = 3600;

const COUNT = new Statement<{ key: string; seconds: number }, { count: number; wait: number }>(
  'request-limit.count',
  ({ slot, now }) => sql`
    insert into attempt_counter as c (key, failures, window_until, expires_at)
    select ${slot('key')}::text, 1, until, until
    from (select ${now} + ${slot('seconds')}::double precision * interval '1 second' as until) w
    on conflict (key) do update set
      failures = case when c.window_until > ${now} then least(c.failures + 1, 1000000) else 1 end,
      window_until = case when c.window_until > ${now} then c.window_until else excluded.window_until end,
      expires_at = case when c.window_until > ${now} then c.expires_at else excluded.expires_at end
    returning c.failures as count, extract(epoch from c.window_until - ${now})::double precision as wait`,
);

export class RequestLimits {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly limits: Pick<Config['limits'], 'addressFailures' | 'addressWindowSeconds'>,
  ) {}

  /** Counts this one too. @returns how many seconds the address has to wait; null when the request goes on */
  async count(what: CountedRequest, address: string): Promise<number | null> {
    const { addressFailures: most, addressWindowSeconds: seconds } = this.limits;
    return this.#count(`${what}\n${networkOf(address)}`, { most, seconds });
  }

  /** The same for a person. */
  async countOwn(what: OwnRequest, accountId: string): Promise<number | null> {
    return this.#count(`own ${what}\n${accountId}`, { most: OWN_REQUESTS[what], seconds: HOUR_SECONDS });
  }

  async #count(what: string, { most, seconds }: { most: number; seconds: number }): Promise<number | null> {
    const key = `r:${this.keys.mac('limits', what)}`;
    const [row] = await this.database.run(COUNT, { key, seconds });
    return row && row.count > most ? Math.max(Math.ceil(row.wait), 1) : null;
  }
}
