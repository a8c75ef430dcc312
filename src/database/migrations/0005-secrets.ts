/** One-time secrets: challenges of a set-up, links in mails, codes. */
import type { Migration } from './migration.js';

export const secrets: Migration = {
  number: 5,
  name: 'secrets',
  statements: [
    // `bound_hash` binds a secret to a browser, a session or a pending authentication.
    `create table one_time_secret (
      secret_hash text collate "C" not null,
      purpose text collate "C" not null,
      account_id uuid references account on delete cascade,
      bound_hash text collate "C" not null default '',
      payload text,
      expires_at timestamptz not null,
      primary key (secret_hash, purpose)
    )`,
    `create index one_time_secret_account on one_time_secret (account_id, purpose)`,
    `create index one_time_secret_expiry on one_time_secret (expires_at)`,
  ],
};
