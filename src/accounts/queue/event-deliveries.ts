/**
 * Deliveries of audit events to the sinks of `EVENT_SINKS`: the worker claims the deliveries, and stores their results and the state of
 * the sinks. The rows of the deliveries are written with the event (`audit/insert-event.ts`) or when an operator sends it again
 * (`event-sinks.ts`). Events of one account are claimed in their order: an event is claimed only when no earlier event of the account
 * waits for the sink. Events without an account have no order.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { wantsKind } from '../../config/sink-settings.js';
import { Database } from '../../database/database.js';
import type { AuditEventTable } from '../../database/schema.js';
import { Statement, interval } from '../../database/statement.js';
import { AuditLog } from '../audit/audit-log.js';
import { AUDIT_KINDS } from '../audit/kinds.js';
import { LeaseQueue, type Claim } from './lease-queue.js';
import type { RetryDelay } from './retry-delay.js';

/** With the delays between them, the tries take about three days. */
export const MAX_DELIVERY_TRIES = 18;
const DELIVERY_RETRY: RetryDelay = { firstSeconds: 5, growth: 3, longestSeconds: 6 * 3600 };
/** Longer than a try may take (`src/events/transport.ts`). */
export const DELIVERY_LEASE_SECONDS = 30;

export const IS_WAITING = sql<boolean>`delivered_at is null and dead_at is null`;

export interface ClaimedDelivery extends Claim {
  sink: string;
  /** Null if the event was deleted, because the delivery waited for longer than such events are kept. */
  event: RecordedEvent | null;
}

export interface RecordedEvent {
  /** The row in JSON, so its time is text. */
  entry: Omit<Selectable<AuditEventTable>, 'at'> & { at: string };
  /** The current values of the account; null if the event has no account, or the account was deleted. */
  person: { username: string; email: string | null } | null;
}

/** The result of a try, for operators. */
export interface DeliveryResult {
  /** An HTTP status, or words such as `timeout` or `the event was deleted`. */
  status: string;
  /** Beginning of the body of the sink's answer; empty without an answer. */
  answer: string;
}

type ResultValues = { id: number; tries: number; status: string; answer: string };
type StateValues = { name: string; state: SinkHealth; status: string; answer: string };

/** Number of due events of a sink that one statement examines. More than all gateways deliver at the same time. */
const WINDOW = 500;
/** From this number of due events on, events that wait for an earlier event are set aside by default. */
const MANY_DUE = 100;

/** The first waiting event of the account for the sink, if it precedes the row. With `not exists`, PostgreSQL would join all waiting rows. */
const selectEarlier = (row: string) => sql`
  select first.id from event_delivery first
  where first.sink = ${sql.ref(`${row}.sink`)} and first.account_id = ${sql.ref(`${row}.account_id`)}
    and first.event < ${sql.ref(`${row}.event`)} and first.delivered_at is null and first.dead_at is null
  order by first.event limit 1`;

/** No earlier event of the account waits for the sink, and the sink is not paused. */
const isNext = (sink: RawBuilder<string>, row: string) => sql<boolean>`
  (${selectEarlier(row)}) is null and (select s.paused_at from event_sink s where s.name = ${sink}::text) is null`;

// Deliveries of new events come first, because their `next_try_at` is `-infinity` (`0061-event-deliveries.ts`).
const ORDER = sql`next_try_at, event`;

const QUEUE = new LeaseQueue<ClaimedDelivery>({
  table: 'event_delivery',
  leaseSeconds: DELIVERY_LEASE_SECONDS,
  retry: DELIVERY_RETRY,
  isWaiting: IS_WAITING,
  partition: { column: 'sink', window: WINDOW, condition: isNext },
  order: ORDER,
  columns: () => sql`q.sink, (
    select jsonb_build_object('entry', to_jsonb(e), 'person', (
      select jsonb_build_object('username', a.username, 'email', a.email) from account a where a.id = q.account_id))
    from audit_event e where e.seq = q.event) as event`,
});

/** Ignores the number of the try, because the event was delivered, no matter which worker has the row now. */
const MARK_DELIVERED = new Statement<Omit<ResultValues, 'tries'>, never>(
  'event-delivery.delivered',
  ({ param, now }) => sql`
    update event_delivery
    set delivered_at = ${now}, tried_at = ${now}, claimed_until = null, status = ${param('status')}::text, answer = ${param('answer')}::text
    where id = ${param('id')} and ${IS_WAITING}`,
);

const buildFailureStatement = (set: (now: RawBuilder<Date>) => RawBuilder<unknown>, name: string) =>
  new Statement<ResultValues, never>(
    name,
    ({ param, now }) => sql`
      update event_delivery
      set tried_at = ${now}, status = ${param('status')}::text, answer = ${param('answer')}::text${set(now)}
      where id = ${param('id')} and tries = ${param('tries')} and ${IS_WAITING}`,
  );

const NOTE_FAILURE = buildFailureStatement(() => sql``, 'event-delivery.note-failure');
const MARK_DEAD = buildFailureStatement((now) => sql`, dead_at = ${now}, claimed_until = null`, 'event-delivery.dead');

/**
 * Sets aside due events that wait for an earlier event of their account, so that the next claims do not examine them. A trigger makes
 * the next event due when the earlier event is done (`0063-next-deliveries.ts`). The earlier row is locked, so that it cannot be done
 * before this statement is committed: the trigger would not see the events that were set aside. If few events are due, setting them
 * aside would cost more than examining them.
 */
const SET_ASIDE = new Statement<{ sink: string; minDue: number }, { count: number }>(
  'event-delivery.set-aside',
  ({ param, now }) => sql`
    with due as materialized (
      select ctid as row_address, sink, account_id, event from event_delivery
      where sink = ${param('sink')}::text and ${IS_WAITING} and next_try_at <= ${now}
      order by ${ORDER} limit ${sql.lit(WINDOW)}
    ), aside as (
      update event_delivery set next_try_at = 'infinity'
      where id = any (array(
        select blocked.id
        from due
          cross join lateral (${selectEarlier('due')} for share skip locked) earlier
          cross join lateral (
            select id from event_delivery
            where ctid = due.row_address and ${IS_WAITING} and next_try_at <= ${now} for update skip locked) blocked
        where (select count(*) from due) >= ${param('minDue')}::integer))
      returning id)
    select count(*)::integer as count from aside`,
);

/** A time that is further away than any delay was written before the clock was set back. */
const REPAIR_TIMES = new Statement<{ names: readonly string[]; seconds: number }, never>(
  'event-delivery.repair-times',
  ({ param, now }) => sql`
    update event_delivery set next_try_at = ${now}
    where sink = any (${param('names')}::text[]) and next_try_at > ${now} + ${interval(param('seconds'))}
      and next_try_at < 'infinity' and ${IS_WAITING}`,
);

const REGISTER = new Statement<{ names: readonly string[] }, never>(
  'event-sink.register',
  ({ param, now }) => sql`
    insert into event_sink (name, configured_at) select name, ${now} from unnest(${param('names')}::text[]) name order by name
    on conflict (name) do update set configured_at = excluded.configured_at`,
);

const NOTE_STATE = new Statement<StateValues, never>(
  'event-sink.note-state',
  ({ param, now }) => sql`
    update event_sink set last_at = ${now}, last_status = ${param('status')}::text, last_answer = ${param('answer')}::text,
      failing_since = case ${param('state')}::text
        when 'works' then null when 'fails' then coalesce(failing_since, ${now}) else failing_since end
    where name = ${param('name')}::text`,
);

/** `unclear`: this try failed, but so few tries failed that the event may be the cause. */
export type SinkHealth = 'works' | 'fails' | 'unclear';

@Injectable()
export class EventDeliveries {
  readonly #sinksOfKind: ReadonlyMap<string, readonly string[]>;
  #notifyWritten: (sinks: readonly string[]) => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'eventSinks'>,
  ) {
    const kinds = Object.keys(AUDIT_KINDS).map((kind) => [kind, this.#findSinkNames(kind)] as const);
    this.#sinksOfKind = new Map(kinds.filter(([, names]) => names.length > 0));
    // From here on, recording an event writes its deliveries. Without sinks, the statements stay unchanged.
    if (config.eventSinks.length > 0) database.routeEvents((kind) => this.#sinksOfKind.get(kind) ?? null);
  }

  /**
   * @param listener is called with the sinks that may have due deliveries, because this process has just committed deliveries or resumed a sink;
   * it must not throw
   */
  onWritten(listener: (sinks: readonly string[]) => void): void {
    this.#notifyWritten = listener;
    this.audit.onRecorded((kind) => {
      const sinks = this.#sinksOfKind.get(kind);
      if (sinks) listener(sinks);
    });
  }

  /** Wakes the worker of this process for deliveries that are due now. */
  notifyWritten(sink: string): void {
    this.#notifyWritten([sink]);
  }

  /** Records that the settings name these sinks, and repairs times that were written before the clock was set back. */
  async register(names: readonly string[]): Promise<void> {
    await this.database.run(REGISTER, { names });
    await this.database.run(REPAIR_TIMES, { names, seconds: DELIVERY_RETRY.longestSeconds * 2 });
  }

  /** @returns at most `limit` due deliveries of a sink; none while the sink is paused */
  claim(sink: string, limit: number): Promise<ClaimedDelivery[]> {
    return QUEUE.claimFrom(this.database, sink, limit);
  }

  /**
   * A claim examines a limited number of due events. Sets aside those of them that wait for an earlier event of the same account.
   * @param minDue how many events must be due, at most `WINDOW`; otherwise none is set aside
   * @returns whether events were set aside, so that a claim may now find other events
   */
  async setAside(sink: string, minDue = MANY_DUE): Promise<boolean> {
    const [row] = await this.database.run(SET_ASIDE, { sink, minDue });
    return row !== undefined && row.count > 0;
  }

  async markDelivered({ id }: Claim, { status, answer }: DeliveryResult): Promise<void> {
    await this.database.run(MARK_DELIVERED, { id, status, answer });
  }

  /** Schedules another try, and stores why this try failed. @param minDelaySeconds the wait that the receiver requested */
  async postpone({ id, tries }: Claim, { status, answer }: DeliveryResult, minDelaySeconds = 0): Promise<void> {
    await this.database.run(NOTE_FAILURE, { id, tries, status, answer });
    await QUEUE.postpone(this.database, { id, tries }, minDelaySeconds);
  }

  /** Gives up a delivery. Later events of the account are still delivered. */
  async markDead({ id, tries }: Claim, { status, answer }: DeliveryResult): Promise<void> {
    await this.database.run(MARK_DEAD, { id, tries, status, answer });
  }

  async noteState(name: string, state: SinkHealth, { status, answer }: DeliveryResult): Promise<void> {
    await this.database.run(NOTE_STATE, { name, state, status, answer });
  }

  #findSinkNames(kind: string): string[] {
    return this.config.eventSinks.filter((sink) => wantsKind(sink, kind)).map(({ name }) => name);
  }
}
