/** Counters of attempts, and known devices, which the failed attempts of other people do not block. */
import type { Migration } from './migration.js';

export const limits: Migration = {
  number: 2,
  name: 'limits',
  statements: [
    // The fill factor leaves space in each page, so that updates do not change the indexes (HOT updates).
    `create table attempt_counter (
      key text collate "C" primary key,
      account_id uuid references account on delete cascade,
      failures integer not null default 0,
      pending integer not null default 0,
      reserved_at timestamptz,
      blocked_until timestamptz,
      window_until timestamptz,
      noted_until timestamptz,
      expires_at timestamptz not null
    ) with (fillfactor = 70)`,
    `create index attempt_counter_account on attempt_counter (account_id) where account_id is not null`,
    `create index attempt_counter_expiry on attempt_counter (expires_at)`,

    `create table known_device (
      account_id uuid not null references account on delete cascade,
      device_hash text collate "C" not null,
      remembered_at timestamptz not null,
      expires_at timestamptz not null,
      primary key (account_id, device_hash)
    )`,
    `create index known_device_expiry on known_device (expires_at)`,
    `create index known_device_hash on known_device (device_hash)`,
  ],
};
