/** Browsers in which no second factor is asked for, for a limited time. */
import type { Migration } from './migration.js';

export const trustedBrowsers: Migration = {
  number: 25,
  name: 'trusted-browsers',
  statements: [
    `create table trusted_browser (
      id uuid primary key default gen_random_uuid(),
      account_id uuid not null references account on delete cascade,
      secret_hash text collate "C" not null,
      stamp text collate "C" not null,
      browser text,
      created_at timestamptz not null,
      last_used_at timestamptz,
      expires_at timestamptz not null,
      constraint trusted_browser_secret unique (account_id, secret_hash)
    ) with (fillfactor = 80)`,
    `create index trusted_browser_expiry on trusted_browser (expires_at)`,
    // The previous version never sets it, because it always asks for the second factor.
    `alter table browser_session add column trusted boolean not null default false`,

    // `since`: when the newest factor of the kind was set up; null for recovery codes, which are made together with other factors.
    // The previous version reads the columns by name and ignores the new one.
    `create or replace view account_factor (account_id, kind, count, since) as
      select account_id, 'totp'::text, 1, created_at from totp_factor
      union all
      select account_id, 'webauthn'::text, count(*)::integer, max(created_at) from security_key group by account_id
      union all
      select account_id, 'recovery-codes'::text, count(*)::integer, null::timestamptz
        from recovery_code where used_at is null group by account_id
      union all
      select account_id, 'email-code'::text, 1, created_at from email_code_factor`,
  ],
};
