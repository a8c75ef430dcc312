/**
 * Deletes expired rows in small batches, so that locks are short. Replicas may run it concurrently: each takes rows
 * that no other has locked.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { Database } from '../database/database.js';
import { EXPIRING_KINDS } from './audit/kinds.js';

const BATCH = 500;
/** Bounds a run; far more rows than a flood of requests writes between two runs. */
const MOST_BATCHES = 10_000;
/** Only frequent kinds expire; recorded changes are kept. */
const IS_EXPIRING_KIND = sql.raw(`kind in (${EXPIRING_KINDS.map((kind) => `'${kind}'`).join(', ')})`);
/** The database refuses to delete events earlier (`0007-audit.ts`). */
const AUDIT_RETENTION = sql.raw(`interval '180 days'`);
const MAIL_RETENTION = sql.raw(`interval '30 days'`);

@Injectable()
export class Cleanup {
  constructor(private readonly database: Database) {}

  /** @returns number of deleted rows */
  async deleteExpired(): Promise<number> {
    const now = this.database.now();
    const expired = sql`expires_at <= ${now}`;
    let deleted = 0;
    deleted += await this.#deleteExpiredFrom('challenge_record', expired);
    deleted += await this.#deleteExpiredFrom('browser_session', expired);
    deleted += await this.#deleteExpiredFrom('known_device', expired);
    // A row with tries in the making is left: a guess that fails now has to be counted.
    deleted += await this.#deleteExpiredFrom(
      'attempt_counter',
      sql`${expired} and (pending = 0 or reserved_at < ${now} - interval '1 hour')`,
    );
    deleted += await this.#deleteExpiredFrom('audit_event', sql`at <= ${now} - ${AUDIT_RETENTION} and ${IS_EXPIRING_KIND}`);
    for (const table of ['one_time_secret', 'pending_authentication', 'registration_ticket']) {
      deleted += await this.#deleteExpiredFrom(table, expired);
    }
    deleted += await this.#deleteExpiredFrom('manage_session', sql`kept_until <= ${now}`);
    deleted += await this.#deleteExpiredFrom('held_username', sql`held_until <= ${now}`);
    // Unsent mail past its time is given up by whoever would send it; this is for where nobody does.
    deleted += await this.#deleteExpiredFrom(
      'outbox',
      sql`coalesce(sent_at, abandoned_at, expires_at) <= ${now} - ${MAIL_RETENTION}`,
    );
    return deleted;
  }

  async #deleteExpiredFrom(table: string, isExpired: RawBuilder<unknown>): Promise<number> {
    let total = 0;
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(table)} where ctid = any (array(
          select ctid from ${sql.table(table)} where ${isExpired} limit ${BATCH} for update skip locked))`.execute(
        this.database.db,
      );
      const deleted = Number(numAffectedRows ?? 0);
      total += deleted;
      if (deleted < BATCH) break;
    }
    return total;
  }
}
