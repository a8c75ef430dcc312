/** What usernames look like, so that no two of them look alike. */
import type { Migration } from './migration.js';

export const usernameLooks: Migration = {
  number: 13,
  name: 'username-looks',
  statements: [
    // A table of its own: an index on the accounts would stop sign-ins while it is made. `username` is the spelling that the
    // skeleton was made of; a row of an earlier name does not count.
    `create table username_look (
      account_id uuid not null references account on delete cascade,
      skeleton text collate "C" not null,
      username text not null,
      primary key (account_id, skeleton)
    )`,
    `create index username_look_skeleton on username_look (skeleton)`,
  ],
};
