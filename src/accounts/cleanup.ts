/**
 * Deletes expired rows, and event sinks that no gateway uses any more, in small batches, so that locks are short. Replicas may
 * clean up concurrently: each takes rows that no other has locked. A batch of expired rows begins where the previous batch ended,
 * so that it does not read the index entries of deleted rows again.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { Database } from '../database/database.js';
import { EXPIRING_KINDS } from './audit/kinds.js';

const BATCH = 500;
/** Bounds what a run deletes from one table. A flood of requests writes far fewer rows between two runs. */
const MAX_BATCHES = 10_000;
/** The database refuses to delete events earlier (`0007-audit.ts`). */
const AUDIT_RETENTION = sql.raw(`interval '180 days'`);
const APPROVAL_RETENTION = sql.raw(`interval '30 days'`);
const JOB_RETENTION = sql.raw(`interval '90 days'`);
const INVITATION_RETENTION = sql.raw(`interval '90 days'`);
const MAIL_RETENTION = sql.raw(`interval '30 days'`);
const DELIVERY_RETENTION = sql.raw(`interval '30 days'`);
const SCIM_FAULT_RETENTION = sql.raw(`interval '30 days'`);

/** Rows of a table that are deleted when an indexed value has passed a time. */
interface ExpiringRows {
  table: string;
  /** Column or expression of the index; default `expires_at`. */
  expiry?: RawBuilder<unknown>;
  /** Default: now. */
  cutoff?: RawBuilder<unknown>;
  /** Further condition. */
  where?: RawBuilder<unknown>;
}

interface DeletedBatch {
  deletedCount: number;
  lastExpiry: Date | null;
}

@Injectable()
export class Cleanup {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'eventSinks'>,
  ) {}

  /**
   * A table whose rows cannot be deleted does not delay the others.
   * @returns number of deleted rows, not counting event sinks
   * @throws the first error, after all tables
   */
  async deleteExpired(): Promise<number> {
    let count = 0;
    const errors: unknown[] = [];
    const deletions = this.#tables().map((expiringRows) => () => this.#deleteFrom(expiringRows));
    for (const deleteRows of [...deletions, () => this.#deleteRemovedSinks()]) {
      try {
        count += await deleteRows();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    return count;
  }

  #tables(): ExpiringRows[] {
    const now = this.database.now();
    return [
      { table: 'challenge_record' },
      { table: 'browser_session' },
      { table: 'known_device' },
      { table: 'trusted_browser' },
      { table: 'operator_session' },
      { table: 'operator_approval', cutoff: sql`${now} - ${APPROVAL_RETENTION}`, where: sql.ref('closed') },
      { table: 'support_check' },
      { table: 'invitation', cutoff: sql`${now} - ${INVITATION_RETENTION}` },
      { table: 'consent_grant' },
      // A row is kept while an attempt of the last hour is pending, because a guess that fails now has to be counted.
      { table: 'attempt_counter', where: sql`(pending = 0 or reserved_at < ${now} - interval '1 hour')` },
      // Only frequent kinds expire; recorded changes are kept. Each kind is deleted on its own, because with an
      // index on time alone the database would read all events that are kept.
      ...EXPIRING_KINDS.map((kind) => ({
        table: 'audit_event',
        expiry: sql.ref('at'),
        cutoff: sql`${now} - ${AUDIT_RETENTION}`,
        where: sql`kind = ${kind}`,
      })),
      { table: 'one_time_secret' },
      { table: 'account_job', expiry: sql.ref('ended_at'), cutoff: sql`${now} - ${JOB_RETENTION}` },
      { table: 'former_email' },
      { table: 'sign_in' },
      { table: 'registration_ticket' },
      { table: 'rpc_change' },
      { table: 'manage_session', expiry: sql.ref('kept_until') },
      { table: 'scim_offer' },
      { table: 'scim_fault', expiry: sql.ref('last_at'), cutoff: sql`${now} - ${SCIM_FAULT_RETENTION}` },
      { table: 'held_username', expiry: sql.ref('held_until') },
      { table: 'event_delivery', expiry: sql`coalesce(delivered_at, dead_at)`, cutoff: sql`${now} - ${DELIVERY_RETENTION}` },
      // The mail worker gives up unsent mail that has expired; if no worker runs, `expires_at` decides.
      { table: 'outbox', expiry: sql`coalesce(sent_at, abandoned_at, expires_at)`, cutoff: sql`${now} - ${MAIL_RETENTION}` },
    ];
  }

  /**
   * Deletes the waiting deliveries of sinks that no gateway has had in its settings for 30 days, and those of these sinks that have
   * no deliveries left. Sinks in the settings of this gateway stay, so that a clock that jumps ahead does not delete them.
   * @returns number of deleted deliveries
   */
  async #deleteRemovedSinks(): Promise<number> {
    const names = this.config.eventSinks.map(({ name }) => name);
    const isRemoved = sql`s.configured_at <= ${this.database.now()} - ${DELIVERY_RETENTION} and s.name <> all (${names}::text[])`;
    let total = 0;
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      const { numAffectedRows = 0n } = await sql`
        delete from event_delivery where ctid = any (array(
          select d.row_id from event_sink s cross join lateral (
            select ctid as row_id from event_delivery where sink = s.name and delivered_at is null and dead_at is null
            order by event limit ${BATCH} for update skip locked) d
          where ${isRemoved}))`.execute(this.database.db);
      total += Number(numAffectedRows);
      if (numAffectedRows === 0n) break;
    }
    // A scalar subquery, because PostgreSQL would read all deliveries for a `not exists`.
    await sql`delete from event_sink s where ${isRemoved}
      and (select event from event_delivery where sink = s.name order by event limit 1) is null`.execute(this.database.db);
    return total;
  }

  async #deleteFrom(expiringRows: ExpiringRows): Promise<number> {
    let total = 0;
    let start: Date | null = null;
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      const { deletedCount, lastExpiry } = await this.#deleteBatch(expiringRows, start);
      total += deletedCount;
      if (deletedCount < BATCH) break;
      start = lastExpiry;
    }
    return total;
  }

  /** @param start where the previous batch ended */
  async #deleteBatch(expiringRows: ExpiringRows, start: Date | null): Promise<DeletedBatch> {
    const { table, expiry = sql.ref('expires_at'), cutoff = this.database.now(), where } = expiringRows;
    const { rows } = await sql<DeletedBatch>`
      with deleted_row as (
        delete from ${sql.table(table)} where ctid = any (array(
          select ctid from ${sql.table(table)}
          where ${expiry} <= ${cutoff} and ${expiry} >= ${start ?? '-infinity'}::timestamptz ${where ? sql`and ${where}` : sql``}
          order by ${expiry} limit ${BATCH} for update skip locked))
        returning ${expiry} as expiry)
      select count(*)::integer as "deletedCount", max(expiry) as "lastExpiry" from deleted_row`.execute(this.database.db);
    return rows[0] ?? { deletedCount: 0, lastExpiry: null };
  }
}
