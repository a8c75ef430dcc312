/** The protection of the account, which the overview of the account area shows. */

/** How an account is protected: `good`, or the first thing that should be changed. */
export const MANAGE_PROTECTIONS = [
  'good',
  /** The password alone is enough to sign in, or none of the second factors can be used. */
  'factor-missing',
  /** The account has a passkey, but the password alone is still enough to sign in. */
  'password-alone',
  /** The account has recovery codes, but the person has not confirmed having seen them. */
  'codes-unseen',
  'codes-none',
  'codes-few',
  'email-missing',
  'email-unverified',
] as const;

export type ManageProtection = (typeof MANAGE_PROTECTIONS)[number];

/** If fewer recovery codes are left, the person should create new ones. */
export const ENOUGH_RECOVERY_CODES = 3;

export interface RecoveryCodesLeft {
  left: number;
  /** The person has not confirmed having seen the codes. */
  unseen?: true;
}
