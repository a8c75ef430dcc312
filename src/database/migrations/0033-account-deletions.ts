/** Planned deletions of accounts. The previous version does not carry them out, and its "that was not me" does not cancel them. */
import type { Migration } from './migration.js';

export const accountDeletions: Migration = {
  number: 33,
  name: 'account-deletions',
  statements: [
    `create table account_deletion (
      account_id uuid primary key references account on delete cascade,
      requested_by text not null,
      requested_at timestamptz not null,
      due_at timestamptz not null
    )`,
    `create index account_deletion_due on account_deletion (due_at)`,
  ],
};
