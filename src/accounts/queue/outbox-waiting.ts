/** How much mail waits, for whoever operates the installation. The index over what is not sent answers it. */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';

export interface WaitingMails {
  /** Somebody should be sending them. */
  due: number;
  /** They are tried again. */
  later: number;
  /** Since the longest waiting was queued; 0 where none waits. */
  oldestSeconds: number;
}

const COUNT = new Statement<Record<string, never>, { due: number; later: number; oldest: number }>(
  'outbox.count-waiting',
  ({ now }) => sql`
    select count(*) filter (where next_try_at <= ${now}) as due, count(*) filter (where next_try_at > ${now}) as later,
      coalesce(greatest(extract(epoch from ${now} - min(created_at)), 0), 0)::double precision as oldest
    from outbox
    where sent_at is null and abandoned_at is null`,
);

@Injectable()
export class OutboxWaiting {
  constructor(private readonly database: Database) {}

  async count(): Promise<WaitingMails> {
    const [row] = await this.database.run(COUNT, {});
    return { due: row?.due ?? 0, later: row?.later ?? 0, oldestSeconds: row?.oldest ?? 0 };
  }
}
