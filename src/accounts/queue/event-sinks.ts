/** Event sinks for operators: lists their state and deliveries, pauses and resumes them, and sends events again. */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { wantsKind, type SinkSettings } from '../../config/sink-settings.js';
import { Database } from '../../database/database.js';
import { isCursor, toPageSize, toPage } from '../../database/row-pages.js';
import { Statement } from '../../database/statement.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { AUDIT_KINDS } from '../audit/kinds.js';
import { EventDeliveries, IS_WAITING } from './event-deliveries.js';

/** Counts stop here; one more stands for any larger number. */
const MAX_COUNTED = 1000;
/** Counts for metrics stop here. */
const MAX_MEASURED = 100_000;
/** Maximum number of events of the audit log that one call examines. */
const MAX_REPLAYED = 10_000;
/** More sinks than an installation has, including former sinks. */
const MAX_SINKS = 100;

/** Counts have a maximum: 1001 from `list`, which stands for any number above 1000, and 100,000 from `measure`. */
export interface SinkState {
  name: string;
  /** Null if the settings of this gateway no longer name the sink. */
  settings: SinkSettings | null;
  /** Number of deliveries that wait. */
  waiting: number;
  /** When the earliest waiting event was queued. */
  waitingSince: Date | null;
  /** How long that event has waited, by the clock of the database; 0 if none waits. */
  waitingSeconds: number;
  /** Number of deliveries that were given up. */
  dead: number;
  pausedAt: Date | null;
  failingSince: Date | null;
  lastAt: Date | null;
  lastStatus: string | null;
  lastAnswer: string | null;
}

export type DeliveryState = 'waiting' | 'delivered' | 'dead';

export interface SinkDelivery {
  /** Id of the event. */
  event: string;
  /** Null if the event was deleted. */
  kind: string | null;
  accountId: string | null;
  state: DeliveryState;
  tries: number;
  queuedAt: Date;
  triedAt: Date | null;
  /** Result of the last try. */
  status: string | null;
  answer: string | null;
}

export interface DeliveryQuery {
  sink: string;
  state?: DeliveryState;
  cursor?: string;
  limit?: number;
}

/**
 * `removed`: the settings no longer name the sink, and it has waiting or dead deliveries. `unknown`: there is no such sink, or it was removed
 * and has no such deliveries.
 */
export type SinkOutcome = 'changed' | 'unchanged' | 'unknown' | 'removed';

interface SinkRow {
  name: string;
  waiting: number;
  waiting_since: Date | null;
  waiting_seconds: number;
  dead: number;
  paused_at: Date | null;
  failing_since: Date | null;
  last_at: Date | null;
  last_status: string | null;
  last_answer: string | null;
}

interface DeliveryRow {
  seq: number;
  kind: string | null;
  account_id: string | null;
  tries: number;
  created_at: Date;
  tried_at: Date | null;
  status: string | null;
  answer: string | null;
  delivered_at: Date | null;
  dead_at: Date | null;
}

const LIST = new Statement<{ names: readonly string[]; max: number; maxSinks: number }, SinkRow>(
  'event-sinks.list',
  ({ param, now }) => {
    const count = (matches: RawBuilder<unknown>) => sql`(select count(*)::integer from (
      select from event_delivery d where d.sink = n.name and ${matches} limit ${param('max')}::integer) counted)`;
    return sql`
    select n.name, ${count(IS_WAITING)} as waiting, ${count(sql`d.dead_at is not null`)} as dead, w.created_at as waiting_since,
      coalesce(greatest(extract(epoch from ${now} - w.created_at), 0), 0)::double precision as waiting_seconds,
      s.paused_at, s.failing_since, s.last_at, s.last_status, s.last_answer
    from (select unnest(${param('names')}::text[]) as name union select name from event_sink order by name limit ${param('maxSinks')}::integer) n
      left join event_sink s on s.name = n.name
      left join lateral (
        select d.created_at from event_delivery d where d.sink = n.name and ${IS_WAITING} order by d.event limit 1) w on true
    order by n.name`;
  },
);

const buildListStatement = (name: string, matches: RawBuilder<unknown>) =>
  new Statement<{ sink: string; beforeSeq: number; max: number }, DeliveryRow>(
    name,
    ({ param }) => sql`
      select d.event as seq, e.kind, d.account_id, d.tries, d.created_at, d.tried_at, d.status, d.answer, d.delivered_at, d.dead_at
      from (
        select * from event_delivery
        where sink = ${param('sink')}::text and event < ${param('beforeSeq')}::bigint and ${matches}
        order by event desc limit ${param('max')}::integer) d
        left join audit_event e on e.seq = d.event
      order by d.event desc`,
  );

const LIST_DELIVERIES = {
  all: buildListStatement('event-deliveries.list', sql`true`),
  waiting: buildListStatement('event-deliveries.list-waiting', IS_WAITING),
  delivered: buildListStatement('event-deliveries.list-delivered', sql`delivered_at is not null`),
  dead: buildListStatement('event-deliveries.list-dead', sql`dead_at is not null`),
} as const;

const PAUSE = new Statement<{ name: string }, { name: string }>(
  'event-sink.pause',
  ({ param, now }) => sql`
    insert into event_sink as s (name, configured_at, paused_at) values (${param('name')}::text, ${now}, ${now})
    on conflict (name) do update set paused_at = excluded.paused_at where s.paused_at is null
    returning s.name`,
);

const RESUME = new Statement<{ name: string }, { name: string }>(
  'event-sink.resume',
  ({ param }) => sql`
    update event_sink set paused_at = null where name = ${param('name')}::text and paused_at is not null returning name`,
);

/**
 * Resets a delivery to the state of a new one, but behind the deliveries that are already due. The event keeps its position in the order
 * of its account. The id is new, so that a worker that finishes an earlier try late stores nothing.
 */
const RESET = (now: RawBuilder<Date>) => sql`
  id = default, created_at = ${now}, tries = 0, next_try_at = ${now}, claimed_until = null, tried_at = null, status = null, answer = null,
  delivered_at = null, dead_at = null`;

const REPLAY_ONE = new Statement<{ sink: string; event: number }, { account_id: string | null }>(
  'event-delivery.replay-one',
  ({ param, now }) => sql`
    update event_delivery set ${RESET(now)}
    where sink = ${param('sink')}::text and event = ${param('event')}::bigint
      and (delivered_at is not null or dead_at is not null)
      and exists (select from audit_event where seq = ${param('event')}::bigint)
    returning account_id`,
);

const FIND_ONE = new Statement<{ sink: string; event: number }, { waiting: boolean }>(
  'event-delivery.find-one',
  ({ param }) => sql`
    select ${IS_WAITING} as waiting from event_delivery
    where sink = ${param('sink')}::text and event = ${param('event')}::bigint`,
);

/**
 * Examines the next events by time, and queues those that the sink receives and that are not already waiting. The event of the cursor may
 * have been deleted; the remaining event before it has nearly the same time.
 */
const REPLAY = new Statement<
  { sink: string; since: Date; afterSeq: number; kinds: readonly string[]; max: number },
  { seen: number; last: number | null; queued: number }
>(
  'event-delivery.replay',
  ({ param, now }) => sql`
    with seen as (
      select e.seq, e.at, e.kind, e.account_id from audit_event e
      where (e.at, e.seq) > (
        greatest(${param('since')}::timestamptz, (
          select c.at from audit_event c where c.seq <= ${param('afterSeq')}::bigint order by c.seq desc limit 1)),
        ${param('afterSeq')}::bigint)
      order by e.at, e.seq limit ${param('max')}::integer
    ), queued as (
      insert into event_delivery as d (sink, event, account_id, created_at, next_try_at)
      select ${param('sink')}::text, seq, account_id, ${now}, ${now} from seen where kind = any (${param('kinds')}::text[])
      on conflict (sink, event) do update set ${RESET(now)} where d.delivered_at is not null or d.dead_at is not null
      returning event
    )
    select count(*)::integer as seen, (array_agg(seq order by at desc, seq desc))[1] as last,
      (select count(*)::integer from queued) as queued
    from seen`,
);

@Injectable()
export class EventSinks {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly deliveries: EventDeliveries,
    @Inject(CONFIG) private readonly config: Pick<Config, 'eventSinks'>,
  ) {}

  /** @returns the sinks of the settings, with counts up to 100,000; without sinks, the database is not queried */
  async measure(): Promise<SinkState[]> {
    if (this.config.eventSinks.length === 0) return [];
    return (await this.list(MAX_MEASURED)).filter(({ settings }) => settings !== null);
  }

  /** @returns the sinks of the settings, and removed sinks that have waiting or dead deliveries */
  async list(max = MAX_COUNTED + 1): Promise<SinkState[]> {
    const names = this.config.eventSinks.map(({ name }) => name);
    const rows = await this.database.run(LIST, { names, max, maxSinks: MAX_SINKS });
    return rows
      .map((row) => ({
        name: row.name,
        settings: this.#findSettings(row.name) ?? null,
        waiting: row.waiting,
        waitingSince: row.waiting_since,
        waitingSeconds: row.waiting_seconds,
        dead: row.dead,
        pausedAt: row.paused_at,
        failingSince: row.failing_since,
        lastAt: row.last_at,
        lastStatus: row.last_status,
        lastAnswer: row.last_answer,
      }))
      .filter(({ settings, waiting, dead }) => settings !== null || waiting > 0 || dead > 0);
  }

  /** Lists deliveries, newest events first. @returns null for an `unknown` sink (`SinkOutcome`); no deliveries for a malformed cursor */
  async listDeliveries({
    sink,
    state,
    cursor,
    limit,
  }: DeliveryQuery): Promise<{ deliveries: SinkDelivery[]; nextCursor?: string } | null> {
    if (!(await this.#isKnown(sink))) return null;
    if (cursor !== undefined && !isCursor(cursor)) return { deliveries: [] };
    const size = toPageSize(limit);
    const beforeSeq = Number(cursor ?? Number.MAX_SAFE_INTEGER);
    const foundRows = await this.database.run(LIST_DELIVERIES[state ?? 'all'], { sink, beforeSeq, max: size + 1 });
    const { rows, ...next } = toPage(foundRows, size);
    return { deliveries: rows.map(toSinkDelivery), ...next };
  }

  /** Lets the events of a sink wait until `resume`. */
  async pause(name: string, auditContext: AuditContext): Promise<SinkOutcome> {
    return this.#change(name, { auditContext, statement: PAUSE, kind: 'sink.paused' });
  }

  async resume(name: string, auditContext: AuditContext): Promise<SinkOutcome> {
    const outcome = await this.#change(name, { auditContext, statement: RESUME, kind: 'sink.resumed' });
    this.deliveries.notifyWritten(name);
    return outcome;
  }

  /**
   * Sends one event again.
   * @returns `unchanged` if the delivery is already waiting; otherwise `unknown-event` if the sink has no such delivery or the event was
   * deleted
   */
  async replayOne(sink: string, event: number, auditContext: AuditContext): Promise<SinkOutcome | 'unknown-event'> {
    if (!this.#findSettings(sink)) return (await this.#isKnown(sink)) ? 'removed' : 'unknown';
    const isQueued = await this.database.transaction(async (trx) => {
      const [row] = await this.database.run(REPLAY_ONE, { sink, event }, trx);
      if (!row) return false;
      const owner = row.account_id === null ? {} : { accountId: row.account_id };
      await this.audit.record({ ...auditContext, ...owner, kind: 'sink.replayed', detail: { sink, event: String(event) } }, trx);
      return true;
    });
    if (!isQueued) {
      const [row] = await this.database.run(FIND_ONE, { sink, event });
      return row?.waiting ? 'unchanged' : 'unknown-event';
    }
    this.deliveries.notifyWritten(sink);
    return 'changed';
  }

  /**
   * Sends the events since a time, if the audit log still contains them and the sink receives them: again, or for the first time if they
   * were recorded without the sink. Leaves out events that already wait. Examines at most 10,000 events.
   * @param selection `cursor`: `nextCursor` of the previous call
   * @returns the number of events that were queued, and `nextCursor` if more events may remain
   */
  async replay(
    sink: string,
    { since, cursor }: { since: Date; cursor?: string },
    auditContext: AuditContext,
  ): Promise<{ queued: number; nextCursor?: string } | 'unknown' | 'removed'> {
    const settings = this.#findSettings(sink);
    if (!settings) return (await this.#isKnown(sink)) ? 'removed' : 'unknown';
    const kinds = Object.keys(AUDIT_KINDS).filter((kind) => wantsKind(settings, kind));
    const afterSeq = cursor !== undefined && isCursor(cursor) ? Number(cursor) : 0;
    const result = await this.database.transaction(async (trx) => {
      const [row] = await this.database.run(REPLAY, { sink, since, afterSeq, kinds, max: MAX_REPLAYED }, trx);
      const queuedCount = row?.queued ?? 0;
      const detail = { sink, since: since.toISOString(), events: queuedCount };
      if (queuedCount > 0) await this.audit.record({ ...auditContext, kind: 'sink.replayed', detail }, trx);
      return { queued: queuedCount, seen: row?.seen ?? 0, last: row?.last ?? null };
    });
    this.deliveries.notifyWritten(sink);
    const hasMore = result.seen === MAX_REPLAYED && result.last !== null;
    return { queued: result.queued, ...(hasMore ? { nextCursor: String(result.last) } : {}) };
  }

  async #change(
    name: string,
    change: {
      auditContext: AuditContext;
      statement: Statement<{ name: string }, { name: string }>;
      kind: 'sink.paused' | 'sink.resumed';
    },
  ): Promise<SinkOutcome> {
    if (!this.#findSettings(name)) return (await this.#isKnown(name)) ? 'removed' : 'unknown';
    return this.database.transaction(async (trx) => {
      const [row] = await this.database.run(change.statement, { name }, trx);
      if (!row) return 'unchanged';
      await this.audit.record({ ...change.auditContext, kind: change.kind, detail: { sink: name } }, trx);
      return 'changed';
    });
  }

  #findSettings(name: string): SinkSettings | undefined {
    return this.config.eventSinks.find((sink) => sink.name === name);
  }

  async #isKnown(name: string): Promise<boolean> {
    return (await this.list()).some((sink) => sink.name === name);
  }
}

function toSinkDelivery({ seq, delivered_at: deliveredAt, dead_at: deadAt, ...row }: DeliveryRow): SinkDelivery {
  return {
    event: String(seq),
    kind: row.kind,
    accountId: row.account_id,
    state: deliveredAt !== null ? 'delivered' : deadAt !== null ? 'dead' : 'waiting',
    tries: row.tries,
    queuedAt: row.created_at,
    triedAt: row.tried_at,
    status: row.status,
    answer: row.answer,
  };
}
