/** When all trust in browsers ended last, so that one whose sign-in is not finished yet does not become trusted after it. */
import type { Migration } from './migration.js';

export const trustEnded: Migration = {
  number: 40,
  name: 'trust-ended',
  statements: [`alter table account add column trust_ended_at timestamptz`],
};
