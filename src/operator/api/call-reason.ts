/** Reads the reason of a call from its header. It is percent-encoded, because headers are limited to ASCII. */
import { countCodePoints, isPrintable } from '../../accounts/account/written-text.js';
import { REASON_HEADER } from '../wire.js';
import type { OperatorRequest } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';

const MAX_LENGTH = 500;
const ASCII = /^[\x20-\x7e]*$/;

/** @returns undefined if the call has no reason @throws OperatorFault 400 */
export function readReason(request: Pick<OperatorRequest, 'headersDistinct'>): string | undefined {
  const values = request.headersDistinct[REASON_HEADER.toLowerCase()];
  if (values === undefined) return undefined;
  const reason = values.length === 1 ? decode(values[0] ?? '')?.trim() : undefined;
  if (reason === undefined) throw buildFault('must be sent once, percent-encoded in UTF-8.');
  const length = countCodePoints(reason);
  if (length === 0 || length > MAX_LENGTH) throw buildFault(`must have 1 to ${MAX_LENGTH} characters.`);
  // Other operators read the reason in a terminal and in the console.
  if (!isPrintable(reason)) throw buildFault('must not contain line breaks, control characters or direction marks.');
  return reason;
}

function decode(text: string): string | undefined {
  if (!ASCII.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function buildFault(rule: string): OperatorFault {
  return new OperatorFault(400, 'wrong_type', `The reason in the header ${REASON_HEADER} ${rule}`, { field: 'reason' });
}
