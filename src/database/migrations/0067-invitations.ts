/** Invitations of people who have no account yet (`src/accounts/changes/invitations.ts`). */
import type { Migration } from './migration.js';

export const invitations: Migration = {
  number: 67,
  name: 'invitations',
  statements: [
    // `is_open`: neither used nor withdrawn. An open invitation may have expired.
    `create table invitation (
      id uuid primary key default gen_random_uuid(),
      seq bigint generated always as identity,
      email text not null,
      email_key text not null,
      display_name text,
      group_name text,
      groups text[] not null default '{}',
      attributes jsonb not null default '{}',
      client_id text,
      language text,
      inviter text,
      invited_by text not null,
      reason text,
      secret_hash text not null,
      days integer not null,
      created_at timestamptz not null,
      sent_at timestamptz not null,
      expires_at timestamptz not null,
      ended_at timestamptz,
      is_open boolean not null default true,
      account_id uuid references account on delete cascade
    )`,
    `create unique index invitation_secret on invitation (secret_hash)`,
    `create unique index invitation_open_email on invitation (email_key) where is_open`,
    `create index invitation_email on invitation (email_key, seq)`,
    `create index invitation_order on invitation (seq)`,
    `create index invitation_expiry on invitation (expires_at)`,
    // For the deletion of accounts.
    `create index invitation_account on invitation (account_id)`,
  ],
};
