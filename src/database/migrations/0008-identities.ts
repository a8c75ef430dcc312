/** Identities at providers, and the account last chosen for each client. */
import type { Migration } from './migration.js';

export const identities: Migration = {
  number: 8,
  name: 'identities',
  statements: [
    // Issuer and subject are stored exactly as the provider writes them (OpenID Connect Core, section 2).
    `create table external_identity (
      id uuid primary key default gen_random_uuid(),
      account_id uuid not null references account on delete cascade,
      provider text collate "C" not null,
      issuer text collate "C" not null,
      subject text collate "C" not null,
      label text,
      connected_at timestamptz not null,
      last_used_at timestamptz,
      constraint external_identity_account unique (issuer, subject, account_id),
      constraint external_identity_provider unique (account_id, provider)
    ) with (fillfactor = 80)`,

    `create table provider_choice (
      issuer text collate "C" not null,
      subject text collate "C" not null,
      client_id text collate "C" not null,
      account_id uuid not null references account on delete cascade,
      primary key (issuer, subject, client_id)
    )`,
    `create index provider_choice_account on provider_choice (account_id)`,
  ],
};
