/**
 * What has ended here and has to end at the OAuth server too: written in the same transaction, gone when it is done. And by
 * which provider somebody came into a session, and when somebody was handed over to the registration service.
 */
import type { Migration } from './migration.js';

export const revocationJobs: Migration = {
  number: 8,
  name: 'upstream-errands',
  statements: [
    // Tied to no account: the OAuth server may know somebody who has gone here.
    `create table upstream_errand (
      id bigint generated always as identity primary key,
      account_id uuid not null,
      kind text not null,
      session_ids text[] not null,
      created_at timestamptz not null,
      tries integer not null default 0,
      next_try_at timestamptz not null,
      claimed_until timestamptz
    )`,
    `create index upstream_errand_due on upstream_errand (next_try_at)`,
    `create index upstream_errand_account on upstream_errand (account_id)`,
    // Both null in what a version before this one has begun.
    `alter table browser_session add column provider text`,
    `alter table registration_handover add column begun_at timestamptz`,
  ],
};
