/** Rights of operators that were granted to accounts (`src/accounts/operators/operator-grants.ts`). */
import type { Migration } from './migration.js';

export const operatorGrants: Migration = {
  number: 47,
  name: 'operator-grants',
  statements: [
    // The table does not check the names of rights: a gateway ignores the rights that it does not know.
    `create table operator_grant (
      account_id uuid not null references account on delete cascade,
      right_name text not null,
      granted_at timestamptz not null,
      granted_by text not null,
      ends_at timestamptz,
      reason text,
      primary key (account_id, right_name)
    )`,
  ],
};
