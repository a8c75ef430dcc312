/**
 * The one statement that adds to the audit log, also as a part of another that does its work and records it at once.
 * Whoever runs such a statement tells `AuditLog.count` of the event.
 */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AuditKind } from './kinds.js';

type Column = RawBuilder<unknown>;

export interface EventColumns {
  /** Now. */
  at: Column;
  kind: Column | AuditKind;
  /** A person unless given. */
  actor?: Column;
  account: Column;
  address: Column;
  request: Column;
  /** JSON. */
  detail?: Column;
}

/** @param from tables and conditions: one event for each of their rows. One event without it. */
export function insertEvent(event: EventColumns, from?: RawBuilder<unknown>): RawBuilder<never> {
  const { at, kind, actor = sql.lit('person'), account, address, request, detail = sql.lit(null) } = event;
  return sql<never>`
    insert into audit_event (at, kind, actor, account_id, address, request_id, detail)
    select ${at}, ${typeof kind === 'string' ? sql.lit(kind) : kind}::text, ${actor}::text, ${account}::uuid,
      ${address}::text, ${request}::text, ${detail}::jsonb
    ${from ? sql`from ${from}` : sql``}`;
}
