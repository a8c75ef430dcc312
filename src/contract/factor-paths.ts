/** Addresses of one kind of second factor, by its name: those of the specification (sections 2 and 7) for every kind. */
import { PATHS } from './paths.js';

export const FACTOR_PATHS = {
  /** At a sign-in: the plain form of a set-up, and the calls of a proof. */
  enrol: (name: string) => `/mfa/enrol-${name}`,
  init: (name: string) => `/mfa/init-${name}`,
  verify: (name: string) => `/mfa/verify-${name}`,
  /** In the account area. */
  register: (name: string) => `${PATHS.manageMfa}/register-${name}`,
  /** A new one in the place of the one there is, in one step. */
  replace: (name: string) => `${PATHS.manageMfa}/replace-${name}`,
  remove: (name: string) => `${PATHS.manageMfa}/remove-${name}`,
  rename: (name: string) => `${PATHS.manageMfa}/rename-${name}`,
} as const;

/** The same for calls, below `PATHS.manageRpc`. */
export const FACTOR_CALLS = {
  init: (name: string) => `/mfa-init-${name}`,
  verify: (name: string) => `/mfa-verify-${name}`,
  entries: (name: string) => `/mfa/${name}`,
  beginProof: (name: string) => `/proof/init-${name}`,
  /** @param begins the proof needs something of the server first */
  prove: (name: string, begins: boolean) => (begins ? `/proof/verify-${name}` : `/proof/${name}`),
} as const;
