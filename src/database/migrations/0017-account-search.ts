/** Search and filters of the list of accounts, in the order of creation (`src/accounts/account/account-list.ts`). */
import type { Migration } from './migration.js';

export const accountSearch: Migration = {
  number: 17,
  name: 'account-search',
  statements: [
    `create index account_words on account using gin (account_words(username, display_name, email))`,
    `create index account_group on account (group_name collate "C", seq) where group_name is not null`,
    `create index account_disabled on account (seq) where status = 'disabled'`,
  ],
};
