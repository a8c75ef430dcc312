/** An index for filtering accounts by their groups (`src/accounts/account/account-list.ts`). */
import type { Migration } from './migration.js';

export const groupsIndex: Migration = {
  number: 28,
  name: 'groups-index',
  statements: [],
  indexes: [{ name: 'account_groups', on: `account using gin (groups) where groups <> '{}'` }],
};
