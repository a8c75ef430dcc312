/**
 * Whether an account belongs to a source. A column of the account, so that a sign-in knows without a further statement that address and
 * attributes are not the person's to change (`src/flows/sign-in/tasks.ts`). Triggers keep it, also for gateways of the previous version.
 */
import type { Migration } from './migration.js';

export const accountsOfSources: Migration = {
  number: 66,
  name: 'accounts-of-sources',
  statements: [
    `alter table account add column has_source boolean not null default false`,
    `create function account_has_source() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        update account set has_source = false where id = old.account_id;
      else
        update account set has_source = true where id = new.account_id and not has_source;
      end if;
      return null;
    end $$`,
    `create trigger account_has_source after insert or delete on source_account
      for each row execute function account_has_source()`,
    `update account a set has_source = true from source_account s where s.account_id = a.id`,
  ],
};
