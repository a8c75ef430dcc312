/** Codes by e-mail as a second factor. */
import type { Migration } from './migration.js';

export const emailCodes: Migration = {
  number: 10,
  name: 'email-codes',
  statements: [
    `create table email_code_factor (
      account_id uuid primary key references account on delete cascade,
      created_at timestamptz not null,
      last_used_at timestamptz
    ) with (fillfactor = 80)`,

    `create or replace view account_factor (account_id, kind, count) as
      select account_id, 'totp'::text, 1 from totp_factor
      union all
      select account_id, 'webauthn'::text, count(*)::integer from security_key group by account_id
      union all
      select account_id, 'recovery-codes'::text, count(*)::integer from recovery_code where used_at is null group by account_id
      union all
      select account_id, 'email-code'::text, 1 from email_code_factor`,
  ],
};
