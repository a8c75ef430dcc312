/** When a person was signed out of the console, so that a sign-in at Foyer that was proven before does not open it again. */
import type { Migration } from './migration.js';

export const consoleSignOuts: Migration = {
  number: 49,
  name: 'console-sign-outs',
  statements: [`alter table browser_session add column console_ended_at timestamptz`],
};
