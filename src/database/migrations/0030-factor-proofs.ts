/** When a person last proved more than a password in the account area, because a password is not enough for an account with a passkey. */
import type { Migration } from './migration.js';

export const factorProofs: Migration = {
  number: 30,
  name: 'factor-proofs',
  // The previous version writes only `proven_at`, so each of its proofs counts as a password.
  statements: [`alter table manage_session add column factor_proven_at timestamptz`],
};
