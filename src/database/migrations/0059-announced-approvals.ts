/** Whether the person was notified of an operation without a check of who was calling (`src/accounts/operators/approval-announcement.ts`). */
import type { Migration } from './migration.js';

export const announcedApprovals: Migration = {
  number: 59,
  name: 'announced-approvals',
  // Null: no notification is needed, or an older version has written the row.
  statements: [`alter table operator_approval add column announced boolean`],
};
