/** Accounts to which no passkey is offered after a sign-in any more. The version before offers none. */
import type { Migration } from './migration.js';

export const passkeyOffers: Migration = {
  number: 27,
  name: 'passkey-offers',
  statements: [`alter table account add column passkey_offer_refused_at timestamptz`],
};
