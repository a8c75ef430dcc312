/** When the source of an account was last asked whether the person is still there (`src/accounts/identities/source-checks.ts`). */
import type { Migration } from './migration.js';

export const sourceChecks: Migration = {
  number: 60,
  name: 'source-checks',
  statements: [
    // Null: never. Gateways of earlier versions write neither column.
    `alter table source_account add column checked_at timestamptz, add column checking_until timestamptz`,
  ],
};
