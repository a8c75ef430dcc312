/** What went wrong with a form or a call of the account area or of the second step: exact message, next step, code (ERR-2). */
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { KeyFault } from '../../browser/calls/security-key.js';
import type { PasswordFault } from '../../../src/contract/area-state.js';
import type { RpcErrorCode } from '../../../src/contract/rpc.js';
import type { MessageKey } from '../../i18n/phrase.js';
import { ALERT_ID, ErrorAlert } from '../alert.js';
import { waitPhrase } from '../wait-phrase.js';

export type FaultCode = RpcErrorCode | KeyFault | 'network';

export interface Fault {
  code: FaultCode;
  retryAfterSeconds?: number | undefined;
  reasons?: readonly PasswordFault[] | undefined;
  /** How many there have been since the page opened: the same one twice is told twice. */
  count: number;
}

type Failure = Omit<Fault, 'count'>;

const AGAIN = 'fault.again';
/** Nobody counts a longer wait in minutes; the words of the fault say more. */
const LONGEST_WAIT_SECONDS = 5400;

/** Message and what to do next. */
const WORDS: Record<FaultCode, readonly [message: MessageKey, next: MessageKey]> = {
  error: ['fault.error', AGAIN],
  network: ['fault.network', 'fault.network_next'],
  page_not_found: ['fault.page_not_found', 'fault.reload'],
  unauthorized: ['fault.unauthorized', 'fault.reload'],
  'could not parse request': ['fault.unreadable', 'fault.reload'],
  'proof required': ['fault.proof', 'fault.reload'],
  'credentials frozen': ['fault.frozen', 'fault.frozen_next'],
  forbidden: ['fault.forbidden', 'fault.reload'],
  'too many requests': ['fault.limited', 'wait.later'],
  unavailable: ['fault.unavailable', AGAIN],
  'invalid verification code': ['fault.code_invalid', 'fault.code_invalid_next'],
  'totp already registered': ['fault.totp_registered', 'fault.totp_registered_next'],
  'totp not found': ['fault.totp_missing', 'fault.totp_missing_next'],
  'fido2 already registered': ['fault.key_registered', 'fault.key_registered_next'],
  'fido2 not found': ['fault.key_missing', 'fault.key_missing_next'],
  'fido2 failed': ['fault.key_failed', 'fault.key_failed_next'],
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
  'not-allowed': ['fault.key_refused', 'fault.key_refused_next'],
  'invalid-state': ['fault.key_registered', 'fault.key_registered_next'],
  security: ['fault.key_insecure', 'fault.key_insecure_next'],
  aborted: ['fault.key_aborted', 'fault.key_aborted_next'],
  'not-supported': ['fault.key_unsupported', 'fault.key_unsupported_next'],
  'key-failed': ['fault.key_failed', 'fault.key_failed_next'],
};

export function messageOf(code: FaultCode): MessageKey {
  return WORDS[code][0];
}

/** The fault that the server found, until the script finds another. */
export function useFault(code: FaultCode | null, more: Omit<Failure, 'code'> = {}) {
  const [fault, setFault] = useState<Fault | null>(code && { code, ...more, count: 0 });
  return {
    fault,
    tell: ({ code, retryAfterSeconds, reasons }: Failure) =>
      setFault((last) => ({ code, retryAfterSeconds, reasons, count: (last?.count ?? 0) + 1 })),
    clear: () => setFault(null),
  };
}

interface AlertProps {
  fault: Fault | null;
  /** Where a code means something else than usual. */
  words?: Partial<typeof WORDS>;
  /** Says more than what is usually said next. */
  more?: ReactNode;
}

export function FaultAlert({ fault, words = {}, more }: AlertProps) {
  const { t } = useTranslation();
  if (!fault) return null;
  const [message, next] = words[fault.code] ?? WORDS[fault.code];
  const wait = fault.retryAfterSeconds;
  return (
    <ErrorAlert key={fault.count} code={fault.code} message={message} live={fault.count > 0}>
      <p>{more ?? (wait && wait <= LONGEST_WAIT_SECONDS ? t(...waitPhrase(wait)) : t(next))}</p>
    </ErrorAlert>
  );
}

/** For the field that the fault is about: where its words stand. */
export function alertFor(fault: Fault | null, codes: readonly FaultCode[]): string | undefined {
  return fault && codes.includes(fault.code) ? ALERT_ID : undefined;
}
