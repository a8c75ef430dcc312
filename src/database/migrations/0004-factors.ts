/** Second factors. */
import type { Migration } from './migration.js';

export const factors: Migration = {
  number: 4,
  name: 'factors',
  statements: [
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

    // One row for each kind of factor that an account has; used recovery codes do not count. Query it for one account (account_id =
    // …) or in a scalar subquery, because in a join PostgreSQL computes the view for all accounts.
    `create view account_factor (account_id, kind, count) as
      select account_id, 'totp'::text, 1 from totp_factor
      union all
      select account_id, 'webauthn'::text, count(*)::integer from security_key group by account_id
      union all
      select account_id, 'recovery-codes'::text, count(*)::integer from recovery_code where used_at is null group by account_id`,
  ],
};
