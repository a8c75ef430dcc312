/** Accounts, their passwords, and reserved usernames. */
import type { Migration } from './migration.js';

export const accounts: Migration = {
  number: 1,
  name: 'accounts',
  statements: [
    // `access_ended_at` is the time of the last event that ended all access, such as a disabled account, a reset, another password,
    // "that was not me" or a disconnected provider.
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
      second_factor text check (second_factor in ('optional', 'required')),
      credentials_frozen_until timestamptz,
      access_ended_at timestamptz,
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

    // A released name is reserved, because its next owner would receive mail and trust meant for the former owner.
    `create table held_username (
      username_key text collate "C" primary key,
      account_id uuid references account on delete cascade,
      held_until timestamptz not null
    )`,
    `create index held_username_account on held_username (account_id)`,
    `create index held_username_expiry on held_username (held_until)`,
  ],
};
