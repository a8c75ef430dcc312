/**
 * Deletes what is past its time, in small batches, so that no lock is held for long. Replicas may sweep at once: each
 * takes rows that no other has.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { Database } from '../database/database.js';
import { PASSING_KINDS } from './audit/kinds.js';

const BATCH = 500;
/** Ends a sweep that never catches up; far more rows than a flood writes between two sweeps. */
const MOST_BATCHES = 10_000;
/** What happens often and says little later; changes stay. */
const PASSING = sql.raw(`kind in (${PASSING_KINDS.map((kind) => `'${kind}'`).join(', ')})`);
/** The database refuses to delete an event before that (`0007-audit.ts`). */
const PASSING_KEPT = sql.raw(`interval '180 days'`);
const MAIL_KEPT = sql.raw(`interval '30 days'`);

@Injectable()
export class Cleanup {
  constructor(private readonly database: Database) {}

  /** @returns how many rows went */
  async sweep(): Promise<number> {
    const now = this.database.now();
    const expired = sql`expires_at <= ${now}`;
    let swept = 0;
    swept += await this.#sweepTable('challenge_record', expired);
    swept += await this.#sweepTable('browser_session', expired);
    swept += await this.#sweepTable('known_device', expired);
    // A row with tries in the making is left: a guess that fails now has to be counted.
    swept += await this.#sweepTable(
      'attempt_counter',
      sql`${expired} and (pending = 0 or reserved_at < ${now} - interval '1 hour')`,
    );
    swept += await this.#sweepTable('audit_event', sql`at <= ${now} - ${PASSING_KEPT} and ${PASSING}`);
    for (const table of ['one_time_secret', 'pending_authentication', 'registration_ticket']) {
      swept += await this.#sweepTable(table, expired);
    }
    swept += await this.#sweepTable('manage_session', sql`kept_until <= ${now}`);
    swept += await this.#sweepTable('held_username', sql`held_until <= ${now}`);
    // Unsent mail past its time is given up by whoever would send it; this is for where nobody does.
    swept += await this.#sweepTable('outbox', sql`coalesce(sent_at, abandoned_at, expires_at) <= ${now} - ${MAIL_KEPT}`);
    return swept;
  }

  async #sweepTable(table: string, isOver: RawBuilder<unknown>): Promise<number> {
    let swept = 0;
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ctid = any (array(
          select ctid from ${sql.table(table)} where ${isOver} limit ${BATCH} for update skip locked))`.execute(this.database.db);
      const deleted = Number(numAffectedRows ?? 0);
      swept += deleted;
      if (deleted < BATCH) break;
    }
    return swept;
  }
}
