/** The login request that the page received from Hydra, sealed, so that its form does not ask Hydra again. */
import type { Migration } from './migration.js';

export const challengeRequests: Migration = {
  number: 18,
  name: 'challenge-requests',
  statements: [
    // Null in rows of the previous version, which ignores the column; Foyer then asks Hydra again.
    `alter table challenge_record add column request text`,
  ],
};
