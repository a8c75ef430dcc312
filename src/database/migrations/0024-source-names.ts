/** Further names of a person at the user source of an account, so that failed attempts with all names are counted together. */
import type { Migration } from './migration.js';

export const sourceNames: Migration = {
  number: 24,
  name: 'source-names',
  statements: [
    // The previous version does not use the table: it counts each name separately.
    `create table source_name (
      name_key text collate "C" not null,
      account_id uuid not null references account on delete cascade,
      primary key (name_key, account_id)
    )`,
    `create index source_name_account on source_name (account_id)`,
  ],
};
