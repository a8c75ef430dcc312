/** Distinguishes sessions that outlive the browser from sessions that end with it. */
import type { Migration } from './migration.js';

export const sessionKinds: Migration = {
  number: 11,
  name: 'session-kinds',
  statements: [`alter table browser_session add column remembered boolean`],
};
