/** Skeletons of usernames, so that no two usernames look alike. */
import type { Migration } from './migration.js';

export const usernameLooks: Migration = {
  number: 13,
  name: 'username-looks',
  statements: [
    // The table is separate, because creating an index on the accounts would stop sign-ins. `username` is the name that has the skeleton;
    // a row with an earlier username of the account does not count.
    `create table username_look (
      account_id uuid not null references account on delete cascade,
      skeleton text collate "C" not null,
      username text not null,
      primary key (account_id, skeleton)
    )`,
    `create index username_look_skeleton on username_look (skeleton)`,
  ],
};
