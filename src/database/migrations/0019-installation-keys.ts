/** Keys that outlast a rotation of `SECRETS_SYSTEM` (`src/accounts/limits/counter-key.ts`). */
import type { Migration } from './migration.js';

export const installationKeys: Migration = {
  number: 19,
  name: 'installation-keys',
  statements: [
    `create table installation_key (
      purpose text collate "C" primary key,
      sealed text not null
    )`,
  ],
};
