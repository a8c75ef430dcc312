/** Indexes for the list of mails that did not arrive (`src/accounts/queue/failed-mails.ts`). */
import type { Migration } from './migration.js';

const FAILED = 'where sent_at is null and (abandoned_at is not null or cause is not null)';

export const failedMails: Migration = {
  number: 53,
  name: 'failed-mails',
  statements: [],
  indexes: [
    { name: 'outbox_failed', on: `outbox (id) ${FAILED}` },
    { name: 'outbox_cause', on: `outbox (coalesce(cause, 'unknown'), id) ${FAILED}` },
  ],
};
