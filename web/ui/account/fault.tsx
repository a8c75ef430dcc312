/** Errors of forms and RPC calls, above all of the account area and of the second step: message, next step and code (ERR-2). */
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyFault } from '../../browser/calls/security-key.js';
import type { PasswordFault } from '../../../src/contract/manage-state.js';
import type { RpcErrorCode } from '../../../src/contract/rpc.js';
import type { MessageKey } from '../../i18n/phrase.js';
import { ALERT_ID, ErrorAlert } from '../alert.js';
import { Wait } from '../wait.js';

export type FaultCode = RpcErrorCode | KeyFault | 'network';

export interface Fault {
  code: FaultCode;
  retryAfterSeconds?: number | undefined;
  reasons?: readonly PasswordFault[] | undefined;
  /** 0 if the page was rendered with the error. A reported error has a new number, so screen readers announce a repeated one. */
  count: number;
}

type Failure = Omit<Fault, 'count'>;

const TRY_AGAIN = 'fault.again';
/** For a longer wait the usual text is shown, because a large number of minutes is not useful. */
const MAX_WAIT_SECONDS = 5400;

/** Message, next step, and an optional additional sentence. */
type Words = readonly [message: MessageKey, nextStep: MessageKey, note?: MessageKey];

/** Words with which a page replaces the usual words. */
export type FaultWords = Partial<Record<FaultCode, Words>>;

const WORDS: Record<FaultCode, Words> = {
  error: ['fault.error', TRY_AGAIN],
  network: ['fault.network', 'fault.network_next'],
  page_not_found: ['fault.page_not_found', 'fault.reload'],
  unauthorized: ['fault.unauthorized', 'fault.reload'],
  'could not parse request': ['fault.unreadable', 'fault.reload'],
  'proof required': ['fault.proof', 'fault.reload'],
  'credentials frozen': ['fault.frozen', 'fault.frozen_next'],
  forbidden: ['fault.forbidden', 'fault.reload'],
  'too many requests': ['fault.limited', 'wait.later'],
  unavailable: ['fault.unavailable', TRY_AGAIN],
  'invalid verification code': ['fault.code_invalid', 'fault.code_invalid_next'],
  'factor already registered': ['fault.factor_registered', 'fault.factor_registered_next'],
  'factor not found': ['fault.factor_missing', 'fault.factor_missing_next'],
  'factor unavailable': ['fault.factor_unavailable', 'fault.factor_unavailable_next'],
  'no e-mail address': ['factor.email_no_address', 'factor.email_no_address_next'],
  'totp already registered': ['fault.totp_registered', 'fault.totp_registered_next'],
  'totp not found': ['fault.totp_missing', 'fault.totp_missing_next'],
  'fido2 already registered': ['fault.key_registered', 'fault.key_registered_next'],
  'fido2 not found': ['fault.key_missing', 'fault.key_missing_next'],
  'fido2 failed': ['fault.key_failed', 'fault.key_failed_next'],
  'passkey failed': ['fault.passkey_failed', 'fault.passkey_failed_next'],
  'token used': ['fault.error', 'fault.reload'],
  'session expired': ['fault.session_expired', 'fault.session_expired_next'],
  'too many keys': ['fault.too_many_keys', 'fault.too_many_keys_next'],
  'factor required': ['fault.factor_required', 'fault.factor_required_next'],
  'oauth not found': ['fault.error', 'fault.reload'],
  'last way in': ['manage.last_way_in', 'manage.last_way_in_text'],
  'no password given': ['fault.no_password', 'fault.no_password_next'],
  'no new password given': ['fault.no_new_password', 'fault.no_new_password_next'],
  'no repeat new password given': ['fault.no_repeat', 'fault.no_repeat_next'],
  'password and repetition not equal': ['fault.not_equal', 'fault.not_equal_next'],
  'password not strong enough': ['fault.not_strong', 'fault.not_strong_next'],
  'current password invalid': ['fault.current_invalid', 'fault.current_invalid_next'],
  'username is empty': ['fault.username_empty', 'fault.username_empty_next'],
  'username is invalid': ['fault.username_invalid', 'fault.username_invalid_next'],
  'username not available': ['fault.username_taken', 'fault.username_taken_next'],
  'username elsewhere': ['fault.username_elsewhere', 'fault.username_elsewhere_next'],
  'email is empty': ['fault.email_empty', 'fault.email_empty_next'],
  'email is invalid': ['fault.email_invalid', 'fault.email_invalid_next'],
  'email not available': ['fault.email_taken', 'fault.email_taken_next'],
  'email elsewhere': ['fault.email_elsewhere', 'fault.email_elsewhere_next'],
  'not-allowed': ['fault.key_refused', 'fault.key_refused_next'],
  'invalid-state': ['fault.key_registered', 'fault.key_registered_next'],
  security: ['fault.key_insecure', 'fault.key_insecure_next'],
  aborted: ['fault.key_aborted', 'fault.key_aborted_next'],
  'not-supported': ['fault.key_unsupported', 'fault.key_unsupported_next'],
  'key-failed': ['fault.key_failed', 'fault.key_failed_next'],
};

export function toMessage(code: FaultCode): MessageKey {
  return WORDS[code][0];
}

/** Stores the error with which the page was rendered, until another error is reported or the error is cleared. */
export function useFault(code: FaultCode | null, details: Omit<Failure, 'code'> = {}) {
  const [fault, setFault] = useState<Fault | null>(code && { code, ...details, count: 0 });
  return {
    fault,
    report: ({ code, retryAfterSeconds, reasons }: Failure) =>
      setFault((last) => ({ code, retryAfterSeconds, reasons, count: (last?.count ?? 0) + 1 })),
    clear: () => setFault(null),
  };
}

interface AlertProps {
  fault: Fault | null;
  words?: FaultWords | undefined;
  /** Replaces the usual next step. */
  nextStep?: ReactNode;
  /** Error codes that are about the field directly below, which then gets the focus. */
  fieldCodes?: readonly FaultCode[];
}

export function FaultAlert({ fault, words = {}, nextStep, fieldCodes = [] }: AlertProps) {
  const { t } = useTranslation();
  if (!fault) return null;
  const [message, usualNextStep, note] = words[fault.code] ?? WORDS[fault.code];
  const wait = fault.retryAfterSeconds;
  return (
    <ErrorAlert
      key={fault.count}
      code={fault.code}
      message={message}
      live={fault.count > 0}
      aboutField={fieldCodes.includes(fault.code)}
    >
      <p>{nextStep ?? (wait && wait <= MAX_WAIT_SECONDS ? <Wait seconds={wait} /> : t(usualNextStep))}</p>
      {note && <p>{t(note)}</p>}
    </ErrorAlert>
  );
}

/** @returns the id for `aria-describedby` if the error is about this field */
export function findAlertId(fault: Fault | null, codes: readonly FaultCode[]): string | undefined {
  return fault && codes.includes(fault.code) ? ALERT_ID : undefined;
}
