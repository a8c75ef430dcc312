/** What gateways share to see and to count the same: the probe of readiness, and keys that outlast a rotation. */
import type { Migration } from './migration.js';

export const probeAndKeys: Migration = {
  number: 15,
  name: 'probe-and-keys',
  statements: [
    // For `src/database/readiness.ts`. Always empty: inserts are rolled back. Each needs a new page of the file, so a full
    // volume refuses it; unlogged, because nothing has to survive a crash.
    `create unlogged table write_probe (filler text not null)`,
    `alter table write_probe alter column filler set storage plain`,

    // For `src/accounts/limits/counter-key.ts`.
    `create table installation_key (
      purpose text collate "C" primary key,
      sealed text not null
    )`,
  ],
};
