/** The urgency of a queued mail. The previous version does not write it, so its mails count as notices (2). */
import type { Migration } from './migration.js';

export const mailUrgency: Migration = {
  number: 36,
  name: 'mail-urgency',
  statements: [`alter table outbox add column urgency smallint not null default 2`],
};
