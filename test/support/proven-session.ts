import type { OwnChange } from '../../src/accounts/account/lock.js';

/** A change in a session of the account area that lives and is proven, for use cases that are tested without one. */
export const OWN_CHANGE: OwnChange = {
  actor: 'person',
  manageSession: { require: () => Promise.resolve(), prove: () => Promise.resolve() },
};
