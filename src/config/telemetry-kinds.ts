/** Kinds of values for the telemetry settings, as the OpenTelemetry specification defines them. */
import type { Kind } from './settings-kinds.js';

const MAX_VALUE_LENGTH = 4096;

/** `name=value,other=value`; values that contain commas are percent-encoded. */
function pairs(namePattern: RegExp, label: string): Kind<Readonly<Record<string, string>>> {
  return {
    label,
    read(value) {
      const entries = value
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '')
        .map(toPair);
      const validPairs = entries.filter((entry) => entry !== null).filter(([name]) => namePattern.test(name));
      if (validPairs.length < entries.length) return { fault: 'is not a list like name=value,other=value, percent-encoded' };
      if (new Set(validPairs.map(([name]) => name)).size < validPairs.length) return { fault: 'has the same name twice' };
      return { value: Object.fromEntries(validPairs) };
    },
  };
}

function toPair(entry: string): [string, string] | null {
  const [name = '', ...rest] = entry.split('=');
  if (rest.length === 0) return null;
  try {
    const value = decodeURIComponent(rest.join('=').trim());
    return /\p{Cc}/u.test(value) || value.length > MAX_VALUE_LENGTH ? null : [name.trim(), value];
  } catch {
    return null;
  }
}

/** Names of headers (RFC 9110, section 5.6.2). */
export const headerList = pairs(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'list');

export const attributeList = pairs(/^[\w./-]{1,100}$/, 'list');

export const ratio: Kind<number> = {
  label: '0–1',
  read(value) {
    const number = /^\d(\.\d{1,9})?$/.test(value) ? Number(value) : Number.NaN;
    return number >= 0 && number <= 1 ? { value: number } : { fault: 'is not a number from 0 to 1' };
  },
};

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
