/**
 * Kinds of values of settings: how a text is parsed, and the fault if that fails. A fault never repeats a part of the text that may be a
 * secret; `settings-read.ts` repeats the text of a setting that is not secret.
 */
import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { ScopeTexts } from './value-types.js';
import { parseDay } from './calendar-day.js';
import { findJsonFault } from './json-fault.js';

/** The parsed value, or a phrase that follows the name and the value of the setting: "is not …". */
export type Reading<T> = { value: T } | { fault: string };

export interface Kind<T> {
  /** A word for the settings table. */
  label: string;
  read(text: string): Reading<T>;
}

const MAX_TEXT_LENGTH = 200;

export const text: Kind<string> = {
  label: 'text',
  read(value) {
    if (/\p{Cc}/u.test(value)) return { fault: 'contains control characters' };
    return value.length > MAX_TEXT_LENGTH ? { fault: `is longer than ${MAX_TEXT_LENGTH} characters` } : { value };
  },
};

export function wholeNumber(least: number, most: number): Kind<number> {
  return {
    label: `${least}–${most}`,
    read(value) {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      return number >= least && number <= most ? { value: number } : { fault: `is not a whole number from ${least} to ${most}` };
    },
  };
}

export const port: Kind<number> = { ...wholeNumber(1, 65_535), label: 'port' };

export function choice<const Options extends readonly string[]>(...options: Options): Kind<Options[number]> {
  return {
    label: options.map((option) => `\`${option}\``).join(' '),
    read(value) {
      const match = options.find((option) => option === value);
      return match === undefined ? { fault: `is not one of ${options.join(', ')}` } : { value: match };
    },
  };
}

export const flag: Kind<boolean> = {
  label: '`true` `false`',
  read: (value) => (value === 'true' || value === 'false' ? { value: value === 'true' } : { fault: 'is neither true nor false' }),
};

/** An http(s) address, which may have a path, a query and a fragment; without a slash at its end, unless it has a query or fragment. */
export const address: Kind<string> = {
  label: 'address',
  read(value) {
    const url = parseAddress(value);
    if (typeof url === 'string') return { fault: url };
    return { value: /[?#]/.test(url.href) ? url.href : url.href.replace(/\/+$/, '') };
  },
};

/** An http(s) address to which paths are appended; without a trailing slash. */
export const baseAddress: Kind<string> = {
  label: 'address',
  read(value) {
    const reading = address.read(value);
    return 'value' in reading && /[?#]/.test(reading.value) ? { fault: 'must not contain a query or fragment' } : reading;
  },
};

/** An http(s) origin: scheme, host and port only. */
export const origin: Kind<string> = {
  label: 'origin',
  read(value) {
    const url = parseAddress(value);
    if (typeof url === 'string') return { fault: url };
    if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return { fault: 'has more than scheme, host and port' };
    return { value: url.origin };
  },
};

/** @returns the address, or what is wrong with it */
function parseAddress(value: string): URL | string {
  if (!/^https?:\/\/[^\s\p{Cc}]+$/iu.test(value) || !URL.canParse(value)) {
    return 'is not an address that begins with http:// or https://';
  }
  const url = new URL(value);
  return url.username !== '' || url.password !== '' ? 'must not contain a username or password' : url;
}

export const postgresUrl: Kind<string> = {
  label: 'address',
  read: (value) =>
    /^postgres(ql)?:\/\/[^\s\p{Cc}]+$/iu.test(value) && URL.canParse(value)
      ? { value }
      : { fault: 'is not an address that begins with postgres:// or postgresql://' },
};

/** Values separated by commas or line breaks. */
export function list<T>(kind: Kind<T>): Kind<readonly T[]> {
  return {
    label: `list of ${kind.label}`,
    read(value) {
      const readings = value
        .split(/[,\n]/)
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .map((part) => kind.read(part));
      const fault = readings.find((reading) => 'fault' in reading);
      if (fault) return { fault: `has an entry that ${fault.fault}` };
      return { value: readings.flatMap((reading) => ('value' in reading ? [reading.value] : [])) };
    },
  };
}

/** A text without spaces that is valid in a header, such as a bearer token. */
export const token: Kind<string> = {
  label: 'token',
  read: (value) => (/^[\x21-\x7e]+$/.test(value) ? { value } : { fault: 'contains spaces or non-ASCII characters' }),
};

/** Length of the longest token that the operator API reads from the header. */
export const MAX_OPERATOR_TOKEN_LENGTH = 1024;

export const operatorToken: Kind<string> = {
  label: 'token',
  read: (value) =>
    value.length > MAX_OPERATOR_TOKEN_LENGTH
      ? { fault: `is longer than ${MAX_OPERATOR_TOKEN_LENGTH} characters` }
      : token.read(value),
};

/** A name or an IPv4 address as in a Host header, without a port; converted to lower case. */
export const hostName: Kind<string> = {
  label: 'host name',
  read: (value) =>
    /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(value) && value.length <= 253
      ? { value: value.toLowerCase() }
      : { fault: 'is not a host name without port and scheme' },
};

export const certificate: Kind<string> = {
  label: 'PEM',
  read(value) {
    try {
      new X509Certificate(value);
      return { value };
    } catch {
      return { fault: 'is not a certificate in PEM form' };
    }
  },
};

export const privateKey: Kind<string> = {
  label: 'PEM',
  read(value) {
    try {
      createPrivateKey(value);
      return { value };
    } catch {
      return { fault: 'is not a private key in PEM form without a passphrase' };
    }
  },
};

export const colour: Kind<string> = {
  label: '`#rrggbb`',
  read: (value) => (/^#[0-9a-f]{6}$/i.test(value) ? { value: value.toLowerCase() } : { fault: 'is not a colour like #1a5fb4' }),
};

/** A time zone by its IANA name. */
export const timeZone: Kind<string> = {
  label: 'time zone',
  read(value) {
    try {
      return { value: new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone };
    } catch {
      return { fault: 'is not a time zone like Europe/Berlin' };
    }
  },
};

/** The first moment of a day, in UTC. */
export const day: Kind<Date> = {
  label: 'date',
  read(value) {
    const date = parseDay(value);
    return date === null ? { fault: 'is not a date like 2027-01-31' } : { value: date };
  },
};

export const radius: Kind<string> = {
  label: 'length',
  read: (value) =>
    /^(0|\d{1,2}(\.\d{1,2})?(px|rem))$/.test(value) ? { value } : { fault: 'is not a length like 8px or 0.5rem' },
};

/** The texts of scopes, by scope. */
export const scopeCatalogue: Kind<Readonly<Record<string, ScopeTexts>>> = {
  label: 'JSON',
  read: (value) => fromJson(value, readScopes),
};

function readScopes(parsed: unknown): Reading<Readonly<Record<string, ScopeTexts>>> {
  if (!isObject(parsed)) return { fault: 'is not a JSON object of scopes' };
  const faultyEntry = Object.entries(parsed).find(([, entry]) => !isScopeTexts(entry));
  if (faultyEntry) {
    return {
      fault: `has ${JSON.stringify(faultyEntry[0])} in another form than {"title": {…}, "description": {…}, "far_reaching": true} with texts by language, such as de and en`,
    };
  }
  return { value: parsed as Record<string, ScopeTexts> };
}

export function fromJson<T>(value: string, read: (parsed: unknown) => Reading<T>): Reading<T> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(value);
  } catch (error) {
    // Only the position is shown, because the value may be a secret.
    return { fault: `cannot be read as JSON (${findJsonFault(value, error).position})` };
  }
  return read(parsed);
}

const SCOPE_MEMBERS = ['title', 'description', 'far_reaching'];

function isScopeTexts(entry: unknown): entry is ScopeTexts {
  if (!isObject(entry) || Object.keys(entry).some((key) => !SCOPE_MEMBERS.includes(key))) return false;
  if (typeof (entry['far_reaching'] ?? false) !== 'boolean') return false;
  return isTextByLocale(entry['title']) && Object.keys(entry['title']).length > 0 && isTextByLocale(entry['description'] ?? {});
}

export function isTextByLocale(entry: unknown): entry is Record<string, string> {
  return (
    isObject(entry) &&
    Object.entries(entry).every(([key, value]) => isLanguageTag(key) && typeof value === 'string' && value !== '')
  );
}

/** Whether the text is a language tag (BCP 47) of a known language; `german` is not such a tag. */
export function isLanguageTag(tag: string): boolean {
  try {
    return LANGUAGE_NAMES.of(tag) !== undefined;
  } catch {
    return false;
  }
}

const LANGUAGE_NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
