/**
 * When a SCIM source gave an account to its present person (`src/accounts/account/present-person.ts`). The released version before this one
 * has no SCIM sources.
 */
import type { Migration } from './migration.js';

export const presentPerson: Migration = {
  number: 69,
  name: 'present-person',
  statements: [`alter table account add column present_person_since timestamptz`],
};
