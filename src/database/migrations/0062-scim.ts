/** People and groups that a source pushes by SCIM (`src/accounts/scim`), refused calls, and accounts that a source may take over. */
import type { Migration } from './migration.js';

export const scim: Migration = {
  number: 62,
  name: 'scim',
  statements: [
    // Gateways of earlier versions treat the accounts as those of a provider, because the stored name of the source has a colon.
    `create table scim_user (
      account_id uuid primary key references account on delete cascade,
      source text collate "C" not null,
      user_name_key text collate "C" not null,
      external_id text collate "C",
      emails text[] not null,
      active boolean not null,
      disabled_here boolean not null,
      resource jsonb not null,
      version bigint not null,
      created_at timestamptz not null,
      modified_at timestamptz not null,
      deleted_at timestamptz
    ) with (fillfactor = 80)`,
    `create unique index scim_user_name on scim_user (source, user_name_key)`,
    `create unique index scim_user_external on scim_user (source, external_id)`,
    `create index scim_user_source on scim_user (source, account_id)`,
    `create index scim_user_created on scim_user (source, created_at, account_id)`,
    `create index scim_user_modified on scim_user (source, modified_at, account_id)`,
    `create index scim_user_emails on scim_user using gin (emails)`,

    `create table scim_group (
      id uuid primary key default gen_random_uuid(),
      source text collate "C" not null,
      display_name text not null,
      display_key text collate "C" not null,
      external_id text collate "C",
      version bigint not null,
      created_at timestamptz not null,
      modified_at timestamptz not null
    )`,
    `create unique index scim_group_name on scim_group (source, display_key)`,
    `create index scim_group_external on scim_group (source, external_id)`,
    `create index scim_group_source on scim_group (source, id)`,
    `create index scim_group_created on scim_group (source, created_at, id)`,
    `create index scim_group_modified on scim_group (source, modified_at, id)`,
    `create table scim_group_member (
      group_id uuid not null references scim_group on delete cascade,
      account_id uuid not null references account on delete cascade,
      primary key (group_id, account_id)
    )`,
    `create index scim_group_member_account on scim_group_member (account_id, group_id)`,

    // One row for a subject and a cause, however often the client tries again.
    `create table scim_fault (
      id uuid primary key default gen_random_uuid(),
      source text collate "C" not null,
      at timestamptz not null,
      last_at timestamptz not null,
      times integer not null default 1,
      method text not null,
      resource text not null,
      subject text collate "C" not null,
      code text not null,
      field text not null,
      detail text not null,
      account_id uuid references account on delete cascade
    )`,
    `create unique index scim_fault_cause on scim_fault (source, subject, method, code, field)`,
    `create index scim_fault_last on scim_fault (source, last_at, id)`,
    `create index scim_fault_over on scim_fault (last_at)`,
    `create index scim_fault_account on scim_fault (account_id) where account_id is not null`,

    `create table scim_offer (
      account_id uuid primary key references account on delete cascade,
      source text collate "C" not null,
      external_id text collate "C",
      offered_at timestamptz not null,
      offered_by text not null,
      expires_at timestamptz not null
    )`,
    `create unique index scim_offer_external on scim_offer (source, external_id)`,
    `create index scim_offer_over on scim_offer (expires_at)`,
    `create index scim_offer_source on scim_offer (source, offered_at, account_id)`,

    `create table scim_source (
      source text collate "C" primary key,
      last_at timestamptz not null
    )`,
  ],
};
