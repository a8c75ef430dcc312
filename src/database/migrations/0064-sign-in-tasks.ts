/**
 * A new password that an account must choose at its next sign-in with its password (`src/flows/sign-in/tasks.ts`). A trigger ends the
 * requirement with every new or deleted password, also if a gateway of an earlier version, which does not know the columns, writes it.
 */
import type { Migration } from './migration.js';

export const signInTasks: Migration = {
  number: 64,
  name: 'sign-in-tasks',
  statements: [
    `alter table account add column password_change_required_at timestamptz, add column password_change_reason text`,
    `create function password_change_done() returns trigger language plpgsql as $$
    begin
      update account set password_change_required_at = null, password_change_reason = null
      where id = old.account_id and password_change_required_at is not null;
      return null;
    end $$`,
    `create trigger password_credential_replaced after update on password_credential for each row
      when (old.changed_at is distinct from new.changed_at)
      execute function password_change_done()`,
    `create trigger password_credential_deleted after delete on password_credential for each row
      execute function password_change_done()`,
  ],
};
