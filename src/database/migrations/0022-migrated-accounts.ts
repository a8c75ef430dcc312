/** Accounts whose password was taken over from a user source (`migrate` in `USER_SOURCES`). */
import type { Migration } from './migration.js';

export const migratedAccounts: Migration = {
  number: 22,
  name: 'migrated-accounts',
  statements: [
    // The previous version does not read the table: it treats these accounts as ordinary accounts with a password.
    `create table migrated_account (
      account_id uuid primary key references account on delete cascade,
      source text collate "C" not null,
      subject text collate "C" not null,
      migrated_at timestamptz not null,
      constraint migrated_account_person unique (source, subject)
    )`,
  ],
};
