/** Counts the waiting mails and finds the age of the oldest mail, for operators. The statement uses the index of unsent mails. */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';

export interface WaitingMails {
  /** Mails that should be sent now. */
  due: number;
  /** Mails that are tried again later. */
  later: number;
  /** Age of the oldest waiting mail; 0 if no mail is waiting. */
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
export class OutboxStatistics {
  constructor(private readonly database: Database) {}

  async count(): Promise<WaitingMails> {
    const [row] = await this.database.run(COUNT, {});
    return { due: row?.due ?? 0, later: row?.later ?? 0, oldestSeconds: row?.oldest ?? 0 };
  }
}
