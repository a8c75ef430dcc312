/** When and how a person was proven, which calls need the cookie of their session, and which changes calls have made. */
import type { Migration } from './migration.js';

export const proofsAndCalls: Migration = {
  number: 12,
  name: 'proofs-and-calls',
  statements: [
    // Version 0.1 does not update this column: an outdated value only means that the person is asked again.
    `alter table browser_session add column provider_auth_time timestamptz`,
    // The methods of a proof. The first element repeats `proof_hash`, because version 0.1 replaces the hash and not the methods.
    `alter table pending_authentication add column proof_methods text[]`,

    // `by_browser`: a browser opened the session. `with_cookie`: the first call of the family had the session's cookie, so later
    // calls need the cookie too. Both are null in rows of version 0.1.
    `alter table manage_session add column by_browser boolean`,
    `alter table rpc_family add column with_cookie boolean`,

    // One row, with the sealed answer, for each token that has made a change: a repetition of the same call gets the same answer.
    `create table rpc_change (
      token_hash text collate "C" primary key,
      request_hash text collate "C" not null,
      answer text,
      expires_at timestamptz not null
    )`,
    `create index rpc_change_expiry on rpc_change (expires_at)`,
  ],
};
