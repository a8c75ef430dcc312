/**
 * The audit log. The database refuses to change events, and to delete them in the first 180 days, so that an attacker with
 * this product's connection cannot remove recent traces. The database ignores the kind of an event; the cleanup decides
 * which older events stay (`src/accounts/cleanup.ts`).
 */
import type { Migration } from './migration.js';

export const audit: Migration = {
  number: 7,
  name: 'audit',
  statements: [
    // There is no reference to the account, because its events are kept when it is deleted.
    `create table audit_event (
      seq bigint generated always as identity primary key,
      at timestamptz not null,
      kind text not null,
      actor text not null,
      account_id uuid,
      address text,
      request_id text,
      detail jsonb
    )`,
    `create index audit_event_time on audit_event (at, seq)`,
    `create index audit_event_account on audit_event (account_id, at, seq) where account_id is not null`,
    `create index audit_event_kind on audit_event (kind, at, seq)`,
    // Nearly all events have a person as actor; indexing those would slow down every sign-in without benefit.
    `create index audit_event_actor on audit_event (actor, at, seq) where actor <> 'person'`,

    `create function audit_event_keep() returns trigger language plpgsql as $$
    begin
      -- The cleanup deletes by age alone. One minute, because its clock may differ from this one.
      if tg_op = 'DELETE' and old.at <= clock_timestamp() - interval '180 days' + interval '1 minute' then
        return old;
      end if;
      raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
    end $$`,
    `create trigger audit_event_keep_rows before update or delete on audit_event
      for each row execute function audit_event_keep()`,
    `create trigger audit_event_keep_all before truncate on audit_event
      for each statement execute function audit_event_keep()`,
  ],
};
