/**
 * Marks recovery codes that the person has not confirmed having seen, and usernames whose skeletons (UTS 39) are stored. The previous
 * version writes neither: its codes count as seen, and the skeletons of its usernames as missing
 * (`src/accounts/account/username-skeleton-filler.ts`).
 */
import type { Migration } from './migration.js';

export const codesAndLooks: Migration = {
  number: 41,
  name: 'codes-and-looks',
  statements: [
    `alter table recovery_code add column unseen boolean not null default false`,
    `alter table account add column looked_username text`,
    // The key of a reserved name never changes, so a boolean is enough.
    `alter table held_username add column has_looks boolean not null default false`,
  ],
};
