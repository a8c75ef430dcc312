/** Somebody said "that was not me": when, and until when nothing that their account signs in with can be changed. */
import type { Migration } from './migration.js';

export const notMe: Migration = {
  number: 3,
  name: 'not-me',
  statements: [`alter table account add column secured_at timestamptz, add column credentials_frozen_until timestamptz`],
};
