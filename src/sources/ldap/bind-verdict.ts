/**
 * Interprets the answer to a bind with a person's password. The person sees a reason only if the directory reports it after the
 * correct password. Every other refusal looks like a wrong password, because a reason would reveal which accounts exist.
 */
import type { BindAnswer } from './ldap-connection.js';

export type BindVerdict =
  | { kind: 'proven' }
  | { kind: 'refused' | 'password-change' | 'not-allowed'; reason: string }
  /** The answer contains nothing about the person. */
  | { kind: 'unavailable'; reason: string };

/** The code of Active Directory in the message of result code 49: a system error code of Windows, in hexadecimal. */
const AD_CODE = /\bdata ([0-9a-f]{2,4})\b/i;

/**
 * Active Directory answers 52f (as NTSTATUS: STATUS_ACCOUNT_RESTRICTION, name and password are valid), 530, 531, 532, 533, 701 and
 * 773 only after the correct password, and 775 after any password.
 */
const AD_VERDICTS: Readonly<Record<string, Exclude<BindVerdict, { kind: 'proven' }>>> = {
  '525': { kind: 'refused', reason: 'no such person (525)' },
  '52e': { kind: 'refused', reason: 'wrong password (52e)' },
  '52f': { kind: 'not-allowed', reason: 'a restriction of the account (52f)' },
  '530': { kind: 'not-allowed', reason: 'not at this time (530)' },
  '531': { kind: 'not-allowed', reason: 'not from this computer (531)' },
  '532': { kind: 'password-change', reason: 'the password has expired (532)' },
  '533': { kind: 'not-allowed', reason: 'the account is disabled (533)' },
  '701': { kind: 'not-allowed', reason: 'the account has expired (701)' },
  '773': { kind: 'password-change', reason: 'the password has to be changed (773)' },
  '775': { kind: 'refused', reason: 'the account is locked (775)' },
  '51f': { kind: 'unavailable', reason: 'no domain controller (51f)' },
};

/** Errors of the password policy (draft-behera-ldap-password-policy-10, section 6.2). */
const PASSWORD_EXPIRED = 0;
const ACCOUNT_LOCKED = 1;
const CHANGE_AFTER_RESET = 2;

const SUCCESS = 0;
const INVALID_CREDENTIALS = 49;
/**
 * Other result codes about the entry: constraintViolation (19), noSuchObject (32), invalidDNSyntax (34), inappropriateAuthentication
 * (48), insufficientAccessRights (50), unwillingToPerform (53).
 */
const ENTRY_CODES: readonly number[] = [19, 32, 34, 48, 50, 53];

export function toBindVerdict({ code, message, policyError }: BindAnswer): BindVerdict {
  if (code === SUCCESS) {
    return policyError === CHANGE_AFTER_RESET
      ? { kind: 'password-change', reason: 'the password was reset' }
      : { kind: 'proven' };
  }
  if (code === INVALID_CREDENTIALS) {
    if (policyError === PASSWORD_EXPIRED) return { kind: 'password-change', reason: 'the password has expired' };
    if (policyError === ACCOUNT_LOCKED) return { kind: 'refused', reason: 'the account is locked' };
    const adCode = AD_CODE.exec(message)?.[1]?.toLowerCase();
    if (adCode === undefined) return { kind: 'refused', reason: 'wrong password' };
    return AD_VERDICTS[adCode] ?? { kind: 'refused', reason: `code ${adCode}` };
  }
  if (ENTRY_CODES.includes(code)) return { kind: 'refused', reason: `result code ${code}` };
  return { kind: 'unavailable', reason: `a bind as a person is answered with result code ${code}` };
}
