/** When a session was used last, for the person whose it is. The version before does not write it. */
import type { Migration } from './migration.js';

export const sessionUse: Migration = {
  number: 29,
  name: 'session-use',
  statements: [`alter table browser_session add column last_used_at timestamptz`],
};
