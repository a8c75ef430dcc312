/** When all trust in browsers last ended, so that a sign-in that began before cannot make its browser trusted afterwards. */
import type { Migration } from './migration.js';

export const trustEnded: Migration = {
  number: 40,
  name: 'trust-ended',
  statements: [`alter table account add column trust_ended_at timestamptz`],
};
