/** Skeletons of reserved usernames, so that no other username looks like a reserved one. */
import type { Migration } from './migration.js';

export const heldUsernameLooks: Migration = {
  number: 17,
  name: 'held-username-looks',
  statements: [
    `create table held_username_look (
      username_key text collate "C" not null references held_username on delete cascade,
      skeleton text collate "C" not null,
      primary key (username_key, skeleton)
    )`,
    `create index held_username_look_skeleton on held_username_look (skeleton)`,
  ],
};
