/** What people have granted to apps on the consent page, by scope. */
import type { Migration } from './migration.js';

export const consentGrants: Migration = {
  number: 31,
  name: 'consent-grants',
  statements: [
    `create table consent_grant (
      account_id uuid not null references account on delete cascade,
      client_id text collate "C" not null,
      scope text collate "C" not null,
      granted_at timestamptz not null,
      expires_at timestamptz not null,
      primary key (account_id, client_id, scope)
    ) with (fillfactor = 80)`,
    `create index consent_grant_expiry on consent_grant (expires_at)`,
  ],
};
