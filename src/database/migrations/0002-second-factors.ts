/** Second factors, pending authentications, the account area's sessions, one-time secrets, mail to be sent, freed names. */
import type { Migration } from './migration.js';

export const secondFactors: Migration = {
  number: 2,
  name: 'second-factors',
  statements: [
    `alter table account add column second_factor text check (second_factor in ('optional', 'required'))`,

    `create table totp_factor (
      account_id uuid primary key references account on delete cascade,
      secret text not null,
      last_step bigint not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    ) with (fillfactor = 80)`,

    `create table security_key (
      id uuid primary key default gen_random_uuid(),
      account_id uuid not null references account on delete cascade,
      credential_id text collate "C" not null,
      public_key bytea not null,
      algorithm integer not null,
      counter bigint not null,
      backup_eligible boolean not null,
      transports text[] not null,
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      constraint security_key_credential unique (credential_id)
    ) with (fillfactor = 80)`,
    `create index security_key_account on security_key (account_id)`,

    `create table recovery_code (
      account_id uuid not null references account on delete cascade,
      code_hash text collate "C" not null,
      used_at timestamptz,
      primary key (account_id, code_hash)
    )`,

    // `bound_hash` ties a secret to a browser, a session or a pending sign-in.
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

    `alter table challenge_record
      add column previous_browser_hash text collate "C",
      add column step_result text,
      add column stepped_at timestamptz`,

    `create table pending_authentication (
      id uuid primary key default gen_random_uuid(),
      challenge_hash text collate "C" not null,
      browser_hash text collate "C" not null,
      account_id uuid not null references account on delete cascade,
      context text not null,
      amr text[] not null,
      failures integer not null default 0,
      proof_hash text collate "C",
      proof_amr text,
      proof_expires_at timestamptz,
      closed_at timestamptz,
      expires_at timestamptz not null,
      constraint pending_authentication_challenge unique (challenge_hash)
    ) with (fillfactor = 70)`,
    `create index pending_authentication_account on pending_authentication (account_id)`,
    `create index pending_authentication_expiry on pending_authentication (expires_at)`,

    `create table manage_session (
      id uuid primary key default gen_random_uuid(),
      account_id uuid not null references account on delete cascade,
      scope text not null check (scope in ('manage', 'enrol')),
      browser_hash text collate "C" not null,
      entry_hash text collate "C",
      entry_browser_hash text collate "C",
      pending_id uuid references pending_authentication on delete cascade,
      client_id text,
      return_to_url text,
      return_to_name text,
      proven_at timestamptz,
      created_at timestamptz not null,
      seen_at timestamptz not null,
      ended_at timestamptz,
      expires_at timestamptz not null,
      kept_until timestamptz not null,
      constraint manage_session_entry unique (entry_hash)
    ) with (fillfactor = 70)`,
    `create index manage_session_browser on manage_session (browser_hash)`,
    `create index manage_session_account on manage_session (account_id)`,
    `create index manage_session_pending on manage_session (pending_id) where pending_id is not null`,
    `create index manage_session_entry_browser on manage_session (entry_browser_hash)`,
    `create index manage_session_expiry on manage_session (kept_until)`,

    `create table rpc_family (
      id text collate "C" primary key,
      session_id uuid not null references manage_session on delete cascade,
      step integer not null,
      stepped_at timestamptz not null,
      previous_at timestamptz,
      ended_at timestamptz
    ) with (fillfactor = 70)`,
    `create index rpc_family_session on rpc_family (session_id)`,

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

    // A name that somebody gave up is held back: whoever took it would get mail and trust meant for its owner.
    `create table freed_username (
      username_key text collate "C" primary key,
      account_id uuid references account on delete cascade,
      held_until timestamptz not null
    )`,
    `create index freed_username_expiry on freed_username (held_until)`,
  ],
};
