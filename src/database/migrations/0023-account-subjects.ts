/** Subjects of accounts whose `sub` at Hydra is not their id (`"sub": "source"`). A subject stays when the setting changes. */
import type { Migration } from './migration.js';

export const accountSubjects: Migration = {
  number: 23,
  name: 'account-subjects',
  statements: [
    // The subject is never a UUID in the spelling of PostgreSQL, because such a subject is the id of an account.
    `create table account_subject (
      account_id uuid primary key references account on delete cascade,
      subject text collate "C" not null,
      constraint account_subject_subject unique (subject),
      check (subject !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$')
    )`,
    // Null in jobs of the previous version; `account_subject` is then used. A job needs its own copy once the account is deleted.
    `alter table revocation_job add column subject text collate "C"`,
  ],
};
