/** Queued work: mail to send, revocation jobs for Hydra. */
import type { Migration } from './migration.js';

export const queue: Migration = {
  number: 6,
  name: 'queue',
  statements: [
    `create table outbox (
      id bigint generated always as identity primary key,
      account_id uuid references account on delete cascade,
      kind text not null,
      recipient text not null,
      locale text not null,
      payload text not null,
      created_at timestamptz not null,
      expires_at timestamptz,
      tries integer not null default 0,
      next_try_at timestamptz not null,
      claimed_until timestamptz,
      sent_at timestamptz,
      abandoned_at timestamptz
    ) with (fillfactor = 80)`,
    `create index outbox_due on outbox (next_try_at) where sent_at is null and abandoned_at is null`,
    `create index outbox_account on outbox (account_id)`,
    // The cleanup uses the same expression.
    `create index outbox_over on outbox (coalesce(sent_at, abandoned_at, expires_at))`,

    // There is no reference to the account, because Hydra may still have sessions of a deleted account.
    `create table revocation_job (
      id bigint generated always as identity primary key,
      account_id uuid not null,
      kind text not null,
      session_ids text[] not null,
      created_at timestamptz not null,
      tries integer not null default 0,
      next_try_at timestamptz not null,
      claimed_until timestamptz
    )`,
    `create index revocation_job_due on revocation_job (next_try_at)`,
    `create index revocation_job_account on revocation_job (account_id)`,
  ],
};
