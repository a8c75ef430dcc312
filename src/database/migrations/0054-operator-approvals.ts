/** Operations of operators that wait for a second operator (`src/accounts/operators/operator-approvals.ts`). */
import type { Migration } from './migration.js';

export const operatorApprovals: Migration = {
  number: 54,
  name: 'operator-approvals',
  statements: [
    // `basis`: the state of the account when the operation was requested. `closed`: decided, or expired and recorded as such.
    `create table operator_approval (
      id uuid primary key default gen_random_uuid(),
      seq bigint generated always as identity,
      operation text not null,
      account_id uuid references account on delete cascade,
      body jsonb not null,
      basis jsonb,
      reason text not null,
      asked_by text not null,
      asked_account uuid references account on delete cascade,
      asked_at timestamptz not null,
      expires_at timestamptz not null,
      supported_by text,
      supported_account uuid references account on delete cascade,
      decision text,
      decided_by text,
      decided_account uuid references account on delete set null,
      decided_at timestamptz,
      decision_reason text,
      used_at timestamptz,
      closed boolean not null default false
    )`,
    // Open approvals first, then the newest.
    `create index operator_approval_order on operator_approval (closed, (-seq))`,
    `create index operator_approval_expiry on operator_approval (expires_at)`,
    // For the deletion of accounts.
    `create index operator_approval_account on operator_approval (account_id)`,
    `create index operator_approval_asked on operator_approval (asked_account)`,
    `create index operator_approval_supported on operator_approval (supported_account)`,
    `create index operator_approval_decided on operator_approval (decided_account)`,
  ],
};
