/** When a person asked not to be offered a passkey any more. The previous version offers no passkeys. */
import type { Migration } from './migration.js';

export const passkeyOffers: Migration = {
  number: 27,
  name: 'passkey-offers',
  statements: [`alter table account add column passkey_offer_refused_at timestamptz`],
};
