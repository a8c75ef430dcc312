/**
 * An index of pending authentications by browser, because the id of a browser changes with every sign-in. Since migration 44, the table is
 * no longer used.
 */
import type { Migration } from './migration.js';

export const browserOfPending: Migration = {
  number: 19,
  name: 'browser-of-pending',
  statements: [],
  indexes: [{ name: 'pending_authentication_browser', on: 'pending_authentication (browser_hash)' }],
};
