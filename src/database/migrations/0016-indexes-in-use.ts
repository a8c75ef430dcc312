/**
 * Indexes for open challenges and for the account search (`src/accounts/account/account-list.ts`), on tables that gateways
 * of the previous version use.
 */
import type { Migration } from './migration.js';

export const indexesInUse: Migration = {
  number: 16,
  name: 'indexes-in-use',
  statements: [],
  indexes: [
    { name: 'challenge_record_open', on: 'challenge_record (browser_hash) where finished_at is null' },
    { name: 'account_words', on: 'account using gin (account_words(username, display_name, email))' },
    { name: 'account_group', on: 'account (group_name collate "C", seq) where group_name is not null' },
    { name: 'account_disabled', on: `account (seq) where status = 'disabled'` },
  ],
};
