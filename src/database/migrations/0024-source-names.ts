/** Names under which a source knows the person of an account, beside its username: failed attempts at all of them are counted together. */
import type { Migration } from './migration.js';

export const sourceNames: Migration = {
  number: 24,
  name: 'source-names',
  statements: [
    // The version before neither writes nor reads it: there each name is counted on its own.
    `create table source_name (
      name_key text collate "C" not null,
      account_id uuid not null references account on delete cascade,
      primary key (name_key, account_id)
    )`,
    `create index source_name_account on source_name (account_id)`,
  ],
};
