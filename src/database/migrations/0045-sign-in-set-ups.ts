/** An index for the factor set-ups of a sign-in, which end with the sign-in (`src/accounts/sessions/sign-in-statements.ts`). */
import type { Migration } from './migration.js';

export const signInSetUps: Migration = {
  number: 45,
  name: 'sign-in-set-ups',
  statements: [],
  indexes: [{ name: 'manage_session_sign_in', on: 'manage_session (sign_in_id) where sign_in_id is not null' }],
};
