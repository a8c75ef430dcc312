/** What Hydra knows an account by, where that is not its id (`"sub": "source"`). It outlives the setting. */
import type { Migration } from './migration.js';

export const accountSubjects: Migration = {
  number: 23,
  name: 'account-subjects',
  statements: [
    // Never a UUID as PostgreSQL writes it: such a subject is the id of an account.
    `create table account_subject (
      account_id uuid primary key references account on delete cascade,
      subject text collate "C" not null,
      constraint account_subject_subject unique (subject),
      check (subject !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
    )`,
    // The version before queues jobs without it: then the row above counts. A deleted account has none any more.
    `alter table revocation_job add column subject text collate "C"`,
  ],
};
