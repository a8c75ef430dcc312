/** Why the last try to send a mail failed. Null for a mail that has not failed, or whose last try a previous version made. */
import type { Migration } from './migration.js';

export const mailCauses: Migration = {
  number: 52,
  name: 'mail-causes',
  statements: [`alter table outbox add column cause text, add column failure_code text`],
};
