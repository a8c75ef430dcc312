/** When more than a password was proven in the account area: where there is a passkey, that alone proves too little. */
import type { Migration } from './migration.js';

export const factorProofs: Migration = {
  number: 30,
  name: 'factor-proofs',
  // The version before writes `proven_at` only, so its proofs are as good as that of a password.
  statements: [`alter table manage_session add column factor_proven_at timestamptz`],
};
