/** An index for the events of one client (`src/accounts/audit/audit-log.ts`). */
import type { Migration } from './migration.js';

export const clientEvents: Migration = {
  number: 56,
  name: 'client-events',
  statements: [],
  indexes: [
    { name: 'audit_event_client', on: `audit_event ((detail ->> 'client'), at, seq) where detail ->> 'client' is not null` },
  ],
};
