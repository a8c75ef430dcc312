/**
 * Where a set-up or a proof was begun: it can only be finished there, whether by a form or by a call. The texts are stored as
 * hashes with what is waiting, so they stay the same from version to version.
 */
import type { Account } from '../accounts/account/account.js';

export interface FactorSlot {
  account: Account;
  /** Made by `signInBinding`, `sessionBinding` or `proofBinding`. */
  boundTo: string;
  /** The key has to verify its user (PIN or biometric). */
  verifiesUser?: boolean | undefined;
}

const SIGN_IN = 'pending:';
const UUID_LENGTH = 36;

export function signInBinding(signInId: string): string {
  return `${SIGN_IN}${signInId}`;
}

export function sessionBinding(manageSessionId: string): string {
  return `area:${manageSessionId}`;
}

/** The binding of a fresh proof in the account area. */
export function proofBinding(boundTo: string): string {
  return `${boundTo}:proof`;
}

/** @returns id of the pending sign-in, in which a set-up of a first factor may be waiting too; null in the account area */
export function signInOf(boundTo: string): string | null {
  return boundTo.startsWith(SIGN_IN) ? boundTo.slice(SIGN_IN.length, SIGN_IN.length + UUID_LENGTH) : null;
}
