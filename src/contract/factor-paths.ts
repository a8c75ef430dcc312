/**
 * Builds the addresses for a kind of second factor, or for passkeys, from its name. Every kind has the same pattern (specification,
 * sections 2 and 7).
 */
import { PATHS } from './paths.js';

export const FACTOR_PATHS = {
  /** During a sign-in: the plain form of a set-up, and the RPC calls of a proof. */
  enrol: (name: string) => `/mfa/enrol-${name}`,
  init: (name: string) => `/mfa/init-${name}`,
  verify: (name: string) => `/mfa/verify-${name}`,
  /** In the account area: the pages and forms. */
  register: (name: string) => `${PATHS.manageMfa}/register-${name}`,
  /** Replaces the current factor in one step. */
  replace: (name: string) => `${PATHS.manageMfa}/replace-${name}`,
  remove: (name: string) => `${PATHS.manageMfa}/remove-${name}`,
  rename: (name: string) => `${PATHS.manageMfa}/rename-${name}`,
} as const;

/** Addresses of RPC calls, below `PATHS.manageRpc`. */
export const FACTOR_CALLS = {
  init: (name: string) => `/mfa-init-${name}`,
  verify: (name: string) => `/mfa-verify-${name}`,
  entries: (name: string) => `/mfa/${name}`,
  beginProof: (name: string) => `/proof/init-${name}`,
  /** @param proofBegins whether the proof begins with a request of its own */
  prove: (name: string, proofBegins: boolean) => (proofBegins ? `/proof/verify-${name}` : `/proof/${name}`),
} as const;
