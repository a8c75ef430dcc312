/** When and how exactly a person was proven: at a provider, and with a security key. */
import type { Migration } from './migration.js';

export const proofs: Migration = {
  number: 14,
  name: 'proofs',
  statements: [
    // Version 0.1 leaves it alone: an older value only means that the person is asked again.
    `alter table browser_session add column provider_auth_time timestamptz`,
    // The methods of a proof; the first element is its `proof_hash`, because version 0.1 replaces the hash alone.
    `alter table pending_authentication add column proof_methods text[]`,
  ],
};
