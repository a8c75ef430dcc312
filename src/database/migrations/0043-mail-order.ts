/** An index for the order in which due mails are claimed (`src/accounts/queue/outbox-claims.ts`). */
import type { Migration } from './migration.js';

export const mailOrder: Migration = {
  number: 43,
  name: 'mail-order',
  statements: [],
  indexes: [{ name: 'outbox_order', on: 'outbox (urgency, next_try_at) where sent_at is null and abandoned_at is null' }],
};
