/**
 * Three words that a person reads to the help desk from their own page (`src/accounts/operators/support-checks.ts`), and the wait of an
 * operation that was requested without the words.
 */
import type { Migration } from './migration.js';

export const supportChecks: Migration = {
  number: 58,
  name: 'support-checks',
  statements: [
    // One row for each account: new words replace the former words.
    `create table support_check (
      account_id uuid primary key references account on delete cascade,
      id uuid not null default gen_random_uuid(),
      words text not null,
      asked_by text not null,
      asked_account uuid references account on delete cascade,
      asked_at timestamptz not null,
      expires_at timestamptz not null,
      refused integer not null default 0,
      passed_at timestamptz
    )`,
    `create index support_check_expiry on support_check (expires_at)`,
    // For the deletion of accounts.
    `create index support_check_asked on support_check (asked_account)`,
    // `not_before`: the operation waits until this time, because the operator did not check who was calling. `checked`: the operator did.
    `alter table operator_approval add column not_before timestamptz, add column checked boolean not null default false`,
  ],
};
