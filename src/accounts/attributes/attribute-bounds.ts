/** Limits that apply whatever the schema allows, because attributes are stored, shown on pages and sent in tokens. */
import type { AttributeFault } from '../../config/account-schema.js';
import { isPrintable } from '../account/written-text.js';

const MAX_BYTES = 8192;
const MAX_VALUES = 512;
const MAX_LEVELS = 5;
const MAX_NAME_LENGTH = 128;
const NAME_FAULT = `has a member whose name is empty or reserved, is longer than ${MAX_NAME_LENGTH} characters, or has characters that cannot be shown`;
/** An address may have several lines (OpenID Connect Core, section 5.1.1). */
const LINE_BREAKS = /\r?\n/g;

/** @returns the first fault, as a JSON Pointer and a message; null if there is none */
export function findBoundsFault(attributes: unknown): AttributeFault | null {
  const limit = { remainingValues: MAX_VALUES };
  const fault = findValueFault(attributes, { pointer: '', depth: 0, limit });
  if (fault) return fault;
  const bytes = Buffer.byteLength(JSON.stringify(attributes));
  return bytes > MAX_BYTES ? { pointer: '', message: `has more than ${MAX_BYTES} bytes as JSON` } : null;
}

interface Position {
  pointer: string;
  depth: number;
  limit: { remainingValues: number };
}

function findValueFault(value: unknown, { pointer, depth, limit }: Position): AttributeFault | null {
  if (--limit.remainingValues < 0) return { pointer: '', message: `has more than ${MAX_VALUES} values` };
  if (typeof value === 'string') {
    return isText(value) ? null : { pointer, message: 'has characters that cannot be shown' };
  }
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : { pointer, message: 'is not a number that JSON can express' };
  if (typeof value !== 'object' || value === null) return null;
  if (depth === MAX_LEVELS) return { pointer, message: `is nested deeper than ${MAX_LEVELS} levels` };
  for (const [name, member] of Object.entries(value)) {
    const memberPointer = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!isName(name)) return { pointer, message: NAME_FAULT };
    const fault = findValueFault(member, { pointer: memberPointer, depth: depth + 1, limit });
    if (fault) return fault;
  }
  return null;
}

function isText(value: string): boolean {
  return isPrintable(value.replace(LINE_BREAKS, ' '));
}

/** The name `__proto__` is refused, because an assignment to it would set the prototype. */
function isName(name: string): boolean {
  return name !== '' && name !== '__proto__' && name.length <= MAX_NAME_LENGTH && isPrintable(name);
}
