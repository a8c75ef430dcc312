/**
 * Deliveries of audit events to the sinks of `EVENT_SINKS` (`src/accounts/queue/event-deliveries.ts`). A trigger writes them in the
 * statement of the event, so that neither is committed without the other. Gateways of earlier versions, and gateways without sinks, do
 * not name the column `sinks`, so the trigger does not run for their events.
 */
import type { Migration } from './migration.js';

export const eventDeliveries: Migration = {
  number: 61,
  name: 'event-deliveries',
  statements: [
    // There is no reference to the event or the account, because both may be deleted while a delivery waits.
    `create table event_delivery (
      id bigint generated always as identity primary key,
      sink text not null,
      event bigint not null,
      account_id uuid,
      created_at timestamptz not null,
      tries integer not null default 0,
      next_try_at timestamptz not null default '-infinity',
      claimed_until timestamptz,
      tried_at timestamptz,
      status text,
      answer text,
      delivered_at timestamptz,
      dead_at timestamptz
    ) with (fillfactor = 80)`,
    // One row for each event and sink, which is updated when the event is sent again.
    `create unique index event_delivery_event on event_delivery (sink, event)`,
    `create index event_delivery_waiting on event_delivery (sink, event) where delivered_at is null and dead_at is null`,
    `create index event_delivery_due on event_delivery (sink, next_try_at, event) where delivered_at is null and dead_at is null`,
    `create index event_delivery_account on event_delivery (sink, account_id, event)
      where delivered_at is null and dead_at is null and account_id is not null`,
    `create index event_delivery_dead on event_delivery (sink, event) where dead_at is not null`,
    // The cleanup uses the same expression.
    `create index event_delivery_over on event_delivery (coalesce(delivered_at, dead_at))`,

    // A row for every name that a gateway had in its settings.
    `create table event_sink (
      name text primary key,
      configured_at timestamptz not null,
      paused_at timestamptz,
      failing_since timestamptz,
      last_at timestamptz,
      last_status text,
      last_answer text
    )`,

    // The names of the sinks that receive the event; null if there are none.
    `alter table audit_event add column sinks text[]`,
    `create function audit_event_deliver() returns trigger language plpgsql as $$
    begin
      insert into event_delivery (sink, event, account_id, created_at)
      select sink, new.seq, new.account_id, new.at from unnest(new.sinks) sink;
      return null;
    end $$`,
    `create trigger audit_event_deliver after insert on audit_event
      for each row when (new.sinks is not null) execute function audit_event_deliver()`,
  ],
};
