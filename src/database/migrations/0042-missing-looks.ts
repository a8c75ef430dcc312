/** Indexes of usernames whose skeletons (UTS 39) are missing. Both indexes are empty while every gateway stores skeletons. */
import type { Migration } from './migration.js';

export const missingLooks: Migration = {
  number: 42,
  name: 'missing-looks',
  statements: [],
  indexes: [
    { name: 'account_without_looks', on: 'account (seq) where looked_username is distinct from username' },
    { name: 'held_username_without_looks', on: 'held_username (username_key) where not has_looks' },
  ],
};
