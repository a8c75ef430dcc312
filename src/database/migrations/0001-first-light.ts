/** Accounts, passwords, limits, challenges, browser sessions, known devices, audit trail. */
import type { Migration } from './migration.js';

export const firstLight: Migration = {
  number: 1,
  name: 'first-light',
  statements: [
    `create table account (
      id uuid primary key default gen_random_uuid(),
      seq bigint generated always as identity,
      username text not null,
      username_key text collate "C" not null,
      display_name text not null,
      email text,
      email_key text collate "C",
      email_verified boolean not null default false,
      picture text,
      language text,
      group_name text,
      status text not null default 'active' check (status in ('active', 'disabled')),
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint account_seq unique (seq),
      constraint account_username_key unique (username_key)
    )`,
    `create index account_email on account (email_key) where email_key is not null`,

    `create table password_credential (
      account_id uuid primary key references account on delete cascade,
      hash text not null,
      changed_at timestamptz not null
    )`,

    // Room in each page keeps the updates of every login off the indexes.
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

    `create table challenge_record (
      challenge_hash text collate "C" not null,
      kind text collate "C" not null,
      browser_hash text collate "C" not null,
      result text,
      finished_at timestamptz,
      expires_at timestamptz not null,
      primary key (challenge_hash, kind)
    ) with (fillfactor = 80)`,
    `create index challenge_record_expiry on challenge_record (expires_at)`,

    `create table browser_session (
      account_id uuid not null references account on delete cascade,
      upstream_session_id text collate "C" not null,
      browser_hash text collate "C" not null,
      auth_time timestamptz not null,
      acr text not null,
      amr text[] not null,
      expires_at timestamptz not null,
      primary key (account_id, upstream_session_id)
    )`,
    `create index browser_session_browser on browser_session (browser_hash)`,
    `create index browser_session_upstream on browser_session (upstream_session_id)`,
    `create index browser_session_expiry on browser_session (expires_at)`,

    `create table known_device (
      account_id uuid not null references account on delete cascade,
      device_hash text collate "C" not null,
      remembered_at timestamptz not null,
      expires_at timestamptz not null,
      primary key (account_id, device_hash)
    )`,
    `create index known_device_expiry on known_device (expires_at)`,
    `create index known_device_hash on known_device (device_hash)`,

    // No reference to the account: the trail outlives it.
    `create table audit_event (
      seq bigint generated always as identity primary key,
      at timestamptz not null,
      kind text not null,
      actor text not null,
      account_id uuid,
      address text,
      request_id text,
      detail jsonb
    )`,
    `create index audit_event_account on audit_event (account_id, seq desc) where account_id is not null`,
    `create index audit_event_time on audit_event using brin (at)`,
  ],
};
