/** The table for the readiness probe, and the keys that all gateways share and that outlast a rotation of the secrets. */
import type { Migration } from './migration.js';

export const probeAndKeys: Migration = {
  number: 15,
  name: 'probe-and-keys',
  statements: [
    // Used by `src/database/readiness.ts`. The table is always empty, because inserts are rolled back. Each insert needs a new page of
    // the file, so a full volume refuses it. The table is unlogged, because nothing has to survive a crash.
    `create unlogged table write_probe (filler text not null)`,
    `alter table write_probe alter column filler set storage plain`,

    // Used by `src/accounts/limits/counter-key.ts`.
    `create table installation_key (
      purpose text collate "C" primary key,
      sealed text not null
    )`,
  ],
};
