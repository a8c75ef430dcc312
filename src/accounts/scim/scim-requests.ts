/**
 * Stores when each SCIM source made its last request, up to a minute too early: each gateway writes at most once a minute for each source,
 * because a source sends thousands of requests.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../config/clock.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';

const WRITE_INTERVAL_MS = 60_000;

const NOTE = new Statement<{ source: string }, never>(
  'scim-request.note',
  ({ param, now }) => sql`
    insert into scim_source (source, last_at) values (${param('source')}, ${now})
    on conflict (source) do update set last_at = greatest(scim_source.last_at, excluded.last_at)`,
);

const FIND_LAST = new Statement<{ source: string }, { last_at: Date }>(
  'scim-request.last',
  ({ param }) => sql`select last_at from scim_source where source = ${param('source')}`,
);

@Injectable()
export class ScimRequests {
  /** When this gateway last wrote, by source. */
  readonly #writeTimes = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** @param source as `source_account` names it; its client has presented a valid token */
  async note(source: string): Promise<void> {
    const now = this.clock.now().getTime();
    const lastWrite = this.#writeTimes.get(source);
    if (lastWrite !== undefined && now - lastWrite < WRITE_INTERVAL_MS) return;
    this.#writeTimes.set(source, now);
    await this.database.run(NOTE, { source });
  }

  /** @returns the time of the last request, up to a minute too early; null if the source has not made a request yet */
  async findLast(source: string): Promise<Date | null> {
    return (await this.database.run(FIND_LAST, { source }))[0]?.last_at ?? null;
  }
}
