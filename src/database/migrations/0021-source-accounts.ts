/** Accounts of people of user sources (`USER_SOURCES`), one account for each person. */
import type { Migration } from './migration.js';

export const sourceAccounts: Migration = {
  number: 21,
  name: 'source-accounts',
  statements: [
    // The previous version does not read the table: it treats these accounts as accounts without a password.
    `create table source_account (
      account_id uuid primary key references account on delete cascade,
      source text collate "C" not null,
      subject text collate "C" not null,
      profile text collate "C" not null,
      connected_at timestamptz not null,
      seen_at timestamptz not null,
      constraint source_account_person unique (source, subject)
    ) with (fillfactor = 80)`,
  ],
};
