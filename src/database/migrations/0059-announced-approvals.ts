/** Whether the person was told of what was asked for without a check of who is calling (`src/accounts/operators/approval-announcement.ts`). */
import type { Migration } from './migration.js';

export const announcedApprovals: Migration = {
  number: 59,
  name: 'announced-approvals',
  // Null: nobody has to be told, or an older version asked.
  statements: [`alter table operator_approval add column announced boolean`],
};
