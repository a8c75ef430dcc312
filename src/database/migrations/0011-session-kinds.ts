/** Sessions that outlive the browser and others, and the open challenges of a browser that gets a new id. */
import type { Migration } from './migration.js';

export const sessionKinds: Migration = {
  number: 11,
  name: 'session-kinds',
  statements: [
    `alter table browser_session add column remembered boolean`,
    `create index challenge_record_open on challenge_record (browser_hash) where finished_at is null`,
  ],
};
