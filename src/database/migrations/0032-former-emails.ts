/** Addresses that their owners replaced, kept while the link in the notice can restore them. */
import type { Migration } from './migration.js';

export const formerEmails: Migration = {
  number: 32,
  name: 'former-emails',
  statements: [
    // `successor` is the address that replaced this one. A gateway of the previous version changes addresses without this table.
    `create table former_email (
      id bigint generated always as identity primary key,
      account_id uuid not null references account on delete cascade,
      email text not null,
      email_verified boolean not null,
      successor text not null,
      ended_at timestamptz,
      expires_at timestamptz not null
    )`,
    `create index former_email_account on former_email (account_id, id)`,
    `create index former_email_expiry on former_email (expires_at)`,
  ],
};
