/** Apps whose access people removed, and the client registration of each grant. The previous version uses neither. */
import type { Migration } from './migration.js';

export const consentRemovals: Migration = {
  number: 34,
  name: 'consent-removals',
  statements: [
    // `client_id` is '' if the access of all apps was removed.
    `create table consent_removal (
      account_id uuid not null references account on delete cascade,
      client_id text collate "C" not null,
      removed_at timestamptz not null,
      primary key (account_id, client_id)
    )`,
    `alter table consent_grant add column client_created_at timestamptz`,
  ],
};
