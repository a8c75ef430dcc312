/** The table that shows whether the database takes changes (`src/database/readiness.ts`). */
import type { Migration } from './migration.js';

export const writeProbe: Migration = {
  number: 18,
  name: 'write-probe',
  statements: [
    // Always empty: inserts are rolled back. Each needs a new page of the file, so a full volume refuses it; unlogged,
    // because nothing has to survive a crash.
    `create unlogged table write_probe (filler text not null)`,
    `alter table write_probe alter column filler set storage plain`,
  ],
};
