/** What the overview of the account area says about the protection of the account. */

/** How an account is protected: `good`, or the first thing to do about it. */
export const MANAGE_PROTECTIONS = [
  'good',
  /** Whoever knows the password signs in. */
  'factor-missing',
  /** There is a passkey, and whoever knows the password still signs in with it alone. */
  'password-alone',
  /** There are recovery codes, and nobody has confirmed to have seen them. */
  'codes-unseen',
  'codes-none',
  'codes-few',
  'email-missing',
  'email-unverified',
] as const;

export type ManageProtection = (typeof MANAGE_PROTECTIONS)[number];

/** With fewer recovery codes, new ones should be made. */
export const ENOUGH_RECOVERY_CODES = 3;

export interface RecoveryCodesLeft {
  left: number;
  /** Nobody has confirmed to have seen them. */
  unseen?: true;
}
