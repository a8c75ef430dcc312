/**
 * The only SQL that inserts audit events, on its own or within another statement. Code that runs such a statement also
 * calls `AuditLog.count`, which counts the event and wakes the worker of the event sinks.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Placeholders } from '../../database/statement.js';
import type { AuditKind } from './kinds.js';

type Column = RawBuilder<unknown>;

export interface EventColumns {
  /** The current time. */
  at: Column;
  kind: Column | AuditKind;
  /** Default: person. */
  actor?: Column;
  /** Name of the operator token, or username of the operator. */
  operator?: Column;
  account: Column;
  address: Column;
  request: Column;
  /** JSON. */
  detail?: Column;
  /** Names of the sinks that receive the event; null without event sinks. A trigger writes the deliveries (`0061-event-deliveries.ts`). */
  sinks: Column | null;
}

/** Values of an event that a statement takes as parameters. If `event` is null, no event is inserted. */
export type EventValues = Record<'event' | 'actor' | 'operator' | 'account' | 'address' | 'request' | 'detail', string | null>;

/** Columns of an event whose values are parameters. */
export function buildEventColumns({ param, now, buildSinks }: Placeholders<EventValues>): EventColumns {
  return {
    at: now,
    kind: param('event'),
    actor: param('actor'),
    operator: param('operator'),
    account: param('account'),
    address: param('address'),
    request: param('request'),
    detail: param('detail'),
    sinks: buildSinks && buildSinks({ param: 'event' }),
  };
}

/** @param source tables and conditions: one event is inserted for each of their rows. Default: one event is inserted. */
export function insertEvent(event: EventColumns, source?: RawBuilder<unknown>): RawBuilder<never> {
  const { at, kind, actor = sql.lit('person'), operator = sql.lit(null), account } = event;
  const { address, request, detail = sql.lit(null), sinks } = event;
  return sql<never>`
    insert into audit_event (at, kind, actor, operator_name, account_id, address, request_id, detail${sinks ? sql`, sinks` : sql``})
    select ${at}, ${typeof kind === 'string' ? sql.lit(kind) : kind}::text, ${actor}::text, ${operator}::text,
      ${account}::uuid, ${address}::text, ${request}::text, ${detail}::jsonb${sinks ? sql`, ${sinks}::text[]` : sql``}
    ${source ? sql`from ${source}` : sql``}`;
}
