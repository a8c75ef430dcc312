/** Bounds that apply whatever the schema says, because attributes are stored, shown on pages and sent in tokens. */
import type { AttributeFault } from '../../config/account-schema.js';
import { isPrintable } from '../account/written-text.js';

const MOST_BYTES = 8192;
const MOST_VALUES = 512;
const DEEPEST = 5;
const LONGEST_NAME = 128;
/** An address may have several lines (OpenID Connect Core, section 5.1.1). */
const LINE_BREAKS = /\r?\n/g;

/** @returns the first fault, as JSON Pointer and what is wrong there; null if there is none */
export function findBoundsFault(attributes: unknown): AttributeFault | null {
  const values = { left: MOST_VALUES };
  const fault = findValueFault(attributes, { pointer: '', depth: 0, values });
  if (fault) return fault;
  const bytes = Buffer.byteLength(JSON.stringify(attributes));
  return bytes > MOST_BYTES ? { pointer: '', message: `has more than ${MOST_BYTES} bytes as JSON` } : null;
}

interface Position {
  pointer: string;
  depth: number;
  values: { left: number };
}

function findValueFault(value: unknown, { pointer, depth, values }: Position): AttributeFault | null {
  if (--values.left < 0) return { pointer: '', message: `has more than ${MOST_VALUES} values` };
  if (typeof value === 'string') {
    return isText(value) ? null : { pointer, message: 'has characters that cannot be shown' };
  }
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : { pointer, message: 'is not a number that JSON can express' };
  if (typeof value !== 'object' || value === null) return null;
  if (depth === DEEPEST) return { pointer, message: `is nested deeper than ${DEEPEST} levels` };
  for (const [name, member] of Object.entries(value)) {
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!isName(name)) return { pointer, message: 'has a member whose name cannot be used' };
    const fault = findValueFault(member, { pointer: at, depth: depth + 1, values });
    if (fault) return fault;
  }
  return null;
}

function isText(value: string): boolean {
  return isPrintable(value.replace(LINE_BREAKS, ' '));
}

/** An assignment to `__proto__` would set the prototype. */
function isName(name: string): boolean {
  return name !== '' && name !== '__proto__' && name.length <= LONGEST_NAME && isPrintable(name);
}
