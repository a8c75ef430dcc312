/** Rates the protection of an account, and finds the first thing that the person should change. A pure function. */
import { ENOUGH_RECOVERY_CODES, type ManageProtection } from '../../contract/manage-protection.js';
import type { ManageState } from '../../contract/manage-state.js';

export interface ProtectionCase {
  /** Whether the person can sign in with a password, of Foyer or of a user source. */
  hasPassword: boolean;
  /** Number of kinds of second factor that the account has and the installation uses. */
  factorKinds: number;
  passkeys: number;
  recoveryCodes: number;
  /** Whether the person has not confirmed having seen the recovery codes. */
  codesUnseen: boolean;
  /** Whether all second factors need mail, but the account has no address. */
  isUnreachable: boolean;
  /** Whether the person can set up a second factor here. */
  canAddFactor: boolean;
  /** Absent if the person cannot change the address here. */
  email: ManageState['email'];
}

/**
 * @returns undefined if Foyer cannot rate the account, because it has neither password nor passkey, or if the account needs a second
 * factor, or another one, and the person cannot set it up here
 */
export function findProtection(account: ProtectionCase): ManageProtection | undefined {
  const { hasPassword, factorKinds, passkeys, isUnreachable, canAddFactor, email } = account;
  // Foyer does not know how a provider authenticates its people.
  if (!hasPassword && passkeys === 0) return undefined;
  if (hasPassword && factorKinds === 0) {
    if (!canAddFactor) return undefined;
    return passkeys === 0 ? 'factor-missing' : 'password-alone';
  }
  if (isUnreachable && email) return 'email-missing';
  if (isUnreachable) return canAddFactor ? 'factor-missing' : undefined;
  return findCodesAdvice(account) ?? findEmailAdvice(email) ?? 'good';
}

function findCodesAdvice({ factorKinds, recoveryCodes, codesUnseen }: ProtectionCase): ManageProtection | undefined {
  if (factorKinds === 0) return undefined;
  if (codesUnseen) return 'codes-unseen';
  if (recoveryCodes >= ENOUGH_RECOVERY_CODES) return undefined;
  return recoveryCodes === 0 ? 'codes-none' : 'codes-few';
}

function findEmailAdvice(email: ProtectionCase['email']): ManageProtection | undefined {
  if (!email) return undefined;
  if (email.address === null) return 'email-missing';
  return email.verified ? undefined : 'email-unverified';
}
