/** Passkeys: credentials with which people sign in without a password. */
import type { Migration } from './migration.js';

export const passkeys: Migration = {
  number: 26,
  name: 'passkeys',
  statements: [
    // The WebAuthn user handle. It stays when the passkeys are removed, so that a new passkey replaces the old one in an authenticator.
    `create table passkey_user (
      account_id uuid primary key references account on delete cascade,
      handle text collate "C" not null,
      constraint passkey_user_handle unique (handle)
    )`,
    `create table passkey (
      id uuid primary key default gen_random_uuid(),
      account_id uuid not null references account on delete cascade,
      credential_id text collate "C" not null,
      public_key bytea not null,
      algorithm integer not null,
      counter bigint not null,
      backup_eligible boolean not null,
      backed_up boolean not null,
      user_verified boolean not null,
      transports text[] not null,
      aaguid uuid not null,
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      constraint passkey_credential unique (credential_id)
    ) with (fillfactor = 80)`,
    `create index passkey_account on passkey (account_id)`,

    // `since` is null for passkeys: a trusted browser does not replace a passkey, so a new passkey does not end the trust. The
    // previous version does not know the kind, and does not let people with only passkeys sign in by password.
    `create or replace view account_factor (account_id, kind, count, since) as
      select account_id, 'totp'::text, 1, created_at from totp_factor
      union all
      select account_id, 'webauthn'::text, count(*)::integer, max(created_at) from security_key group by account_id
      union all
      select account_id, 'recovery-codes'::text, count(*)::integer, null::timestamptz
        from recovery_code where used_at is null group by account_id
      union all
      select account_id, 'email-code'::text, 1, created_at from email_code_factor
      union all
      select account_id, 'passkey'::text, count(*)::integer, null::timestamptz from passkey group by account_id`,
  ],
};
