/** How well an account is protected, or the first thing that its person can do about it. A pure function. */
import { ENOUGH_RECOVERY_CODES, type ManageProtection } from '../../contract/manage-protection.js';
import type { ManageState } from '../../contract/manage-state.js';

export interface ProtectionCase {
  /** A password signs the person in, here or at a source. */
  hasPassword: boolean;
  /** Second factors of all kinds. */
  factors: number;
  passkeys: number;
  recoveryCodes: number;
  /** Nobody has confirmed to have seen them. */
  codesUnseen: boolean;
  /** No code of the only second factor can be sent, because the account has no address. */
  isUnreachable: boolean;
  /** The person can set a second factor up here. */
  canAddFactor: boolean;
  /** Absent if the person cannot change it here. */
  email: ManageState['email'];
}

/** @returns undefined where nothing is known, as about people of a provider alone, or nothing can be done here */
export function findProtection(known: ProtectionCase): ManageProtection | undefined {
  const { hasPassword, factors, passkeys, isUnreachable, canAddFactor, email } = known;
  // How a provider proves its people is not known here.
  if (!hasPassword && passkeys === 0) return undefined;
  if (hasPassword && factors === 0) {
    if (!canAddFactor) return undefined;
    return passkeys === 0 ? 'factor-missing' : 'password-alone';
  }
  if (isUnreachable && email) return 'email-missing';
  if (isUnreachable) return canAddFactor ? 'factor-missing' : undefined;
  return findCodesAdvice(known) ?? findEmailAdvice(email) ?? 'good';
}

function findCodesAdvice({ factors, recoveryCodes, codesUnseen }: ProtectionCase): ManageProtection | undefined {
  if (factors === 0) return undefined;
  if (codesUnseen) return 'codes-unseen';
  if (recoveryCodes >= ENOUGH_RECOVERY_CODES) return undefined;
  return recoveryCodes === 0 ? 'codes-none' : 'codes-few';
}

function findEmailAdvice(email: ProtectionCase['email']): ManageProtection | undefined {
  if (!email) return undefined;
  if (email.address === null) return 'email-missing';
  return email.verified ? undefined : 'email-unverified';
}
