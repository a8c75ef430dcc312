/**
 * The sign-in, session or offer in which a set-up or a proof began; only a form or a call of the same sign-in, session or offer
 * can finish it. The hashes of the binding texts are stored with the pending set-ups and proofs, so the texts must not change
 * between versions.
 */
import type { Account } from '../accounts/account/account.js';

export interface FactorSlot {
  account: Account;
  /** From `toSignInBinding`, `toSessionBinding`, `toProofBinding` or, for an offered passkey, `OfferedPasskeys`. */
  boundTo: string;
  /** Whether the key has to verify its user (PIN or biometric). */
  verifiesUser?: boolean | undefined;
}

const SIGN_IN = 'pending:';
const UUID_LENGTH = 36;

export function toSignInBinding(signInId: string): string {
  return `${SIGN_IN}${signInId}`;
}

export function toSessionBinding(manageSessionId: string): string {
  return `area:${manageSessionId}`;
}

/** The binding of a fresh proof in the account area. */
export function toProofBinding(boundTo: string): string {
  return `${boundTo}:proof`;
}

/** @returns the id of the pending sign-in; null for any other binding */
export function findSignInId(boundTo: string): string | null {
  return boundTo.startsWith(SIGN_IN) ? boundTo.slice(SIGN_IN.length, SIGN_IN.length + UUID_LENGTH) : null;
}
