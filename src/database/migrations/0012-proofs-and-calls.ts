/** When and how exactly a person was proven; calls that need the cookie of their session; changes that calls made. */
import type { Migration } from './migration.js';

export const proofsAndCalls: Migration = {
  number: 12,
  name: 'proofs-and-calls',
  statements: [
    // Version 0.1 leaves it alone: an older value only means that the person is asked again.
    `alter table browser_session add column provider_auth_time timestamptz`,
    // The methods of a proof; the first element is its `proof_hash`, because version 0.1 replaces the hash alone.
    `alter table pending_authentication add column proof_methods text[]`,

    // A session that a browser opened, and a family whose first call came with the cookie: later calls need it too. Null for
    // what version 0.1 wrote.
    `alter table manage_session add column by_browser boolean`,
    `alter table rpc_family add column with_cookie boolean`,

    // One row for each token that has made a change: a repetition of the same call gets the same answer, sealed.
    `create table rpc_change (
      token_hash text collate "C" primary key,
      request_hash text collate "C" not null,
      answer text,
      expires_at timestamptz not null
    )`,
    `create index rpc_change_expiry on rpc_change (expires_at)`,
  ],
};
