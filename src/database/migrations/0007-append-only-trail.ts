/**
 * The audit trail is only added to: the database itself refuses to change an event, and to delete one before its time. Whoever
 * gets hold of this product's connection cannot wipe out what they did.
 */
import type { Migration } from './migration.js';

export const appendOnlyAuditLog: Migration = {
  number: 7,
  name: 'append-only-trail',
  statements: [
    `create function audit_event_keep() returns trigger language plpgsql as $$
    begin
      -- What passes is deleted by age alone; a minute for clocks that differ.
      if tg_op = 'DELETE' and old.at <= clock_timestamp() - interval '180 days' + interval '1 minute' then
        return old;
      end if;
      raise exception 'the audit trail is only added to' using errcode = 'insufficient_privilege';
    end $$`,
    `create trigger audit_event_keep_rows before update or delete on audit_event
      for each row execute function audit_event_keep()`,
    `create trigger audit_event_keep_all before truncate on audit_event
      for each statement execute function audit_event_keep()`,
    `create index audit_event_kind on audit_event (kind, seq desc)`,
  ],
};
