/** Login, consent and logout challenges, browser sessions, pending authentications, and sessions of the account area. */
import type { Migration } from './migration.js';

export const sessions: Migration = {
  number: 3,
  name: 'sessions',
  statements: [
    `create table challenge_record (
      challenge_hash text collate "C" not null,
      kind text collate "C" not null,
      browser_hash text collate "C" not null,
      result text,
      finished_at timestamptz,
      previous_browser_hash text collate "C",
      step_result text,
      stepped_at timestamptz,
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
      provider text,
      expires_at timestamptz not null,
      primary key (account_id, upstream_session_id)
    )`,
    `create index browser_session_browser on browser_session (browser_hash)`,
    `create index browser_session_upstream on browser_session (upstream_session_id)`,
    `create index browser_session_expiry on browser_session (expires_at)`,

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
      access_token_hash text collate "C",
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
      constraint manage_session_access_token unique (access_token_hash)
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
  ],
};
