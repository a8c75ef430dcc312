/** An index for the people who have granted something to an app (`src/accounts/sessions/consent-grants.ts`). */
import type { Migration } from './migration.js';

export const consentGrantsByClient: Migration = {
  number: 50,
  name: 'consent-grants-by-client',
  statements: [],
  indexes: [{ name: 'consent_grant_client', on: 'consent_grant (client_id, account_id)' }],
};
