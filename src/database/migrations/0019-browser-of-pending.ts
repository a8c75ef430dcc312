/**
 * An index for the pending authentications of a browser, whose id changes with every sign-in
 * (`src/accounts/sessions/browser-session-statements.ts`, `challenge-records.ts`).
 */
import type { Migration } from './migration.js';

export const browserOfPending: Migration = {
  number: 19,
  name: 'browser-of-pending',
  statements: [],
  indexes: [{ name: 'pending_authentication_browser', on: 'pending_authentication (browser_hash)' }],
};
