import type { OwnChange } from '../../src/accounts/account/lock.js';

/** A change in an open and proven session of the account area, for tests of use cases without a session. */
export const OWN_CHANGE: OwnChange = {
  actor: 'person',
  manageSession: { require: () => Promise.resolve(), prove: () => Promise.resolve() },
};
