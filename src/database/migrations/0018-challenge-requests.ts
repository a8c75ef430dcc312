/** What a login page has asked of Hydra, sealed, so that its form does not ask again. */
import type { Migration } from './migration.js';

export const challengeRequests: Migration = {
  number: 18,
  name: 'challenge-requests',
  statements: [
    // Null for what the version before wrote, which leaves it alone: then Hydra is asked.
    `alter table challenge_record add column request text`,
  ],
};
