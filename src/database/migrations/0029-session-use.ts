/** When a session was last used, which its owner is shown. The previous version does not write the column. */
import type { Migration } from './migration.js';

export const sessionUse: Migration = {
  number: 29,
  name: 'session-use',
  statements: [`alter table browser_session add column last_used_at timestamptz`],
};
