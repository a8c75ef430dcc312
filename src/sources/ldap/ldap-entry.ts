/** Reads an entry of a directory: the id that never changes, texts, and whether the person may sign in. */
import type { Entry } from 'ldapts';
import type { LdapSettings } from '../../config/source-settings.js';

/** Attributes with a GUID of Active Directory: 16 bytes, the first three groups in little-endian order. */
const BINARY_ATTRIBUTES: readonly string[] = ['objectguid'];

/** Attributes with which Active Directory, OpenLDAP and 389 Directory Server disable an account. */
const STATE_ATTRIBUTES: readonly string[] = ['userAccountControl', 'accountExpires', 'pwdAccountLockedTime', 'nsAccountLock'];

/** The flag ACCOUNTDISABLE of `userAccountControl`. */
const ACCOUNT_DISABLE = 0x2;
/** The account is locked until an administrator unlocks it (draft-behera-ldap-password-policy, section 5.3.3). */
const PERMANENT_LOCK = '000001010000Z';
/** `accountExpires` is in units of 100 ns since 1601; these two values mean "never". */
const NO_EXPIRY: readonly string[] = ['0', '9223372036854775807'];
const MS_FROM_1601_TO_1970 = 11_644_473_600_000;

export function isBinary(attribute: string): boolean {
  return BINARY_ATTRIBUTES.includes(attribute.toLowerCase());
}

/** Ignores the case of the name, because servers return different spellings. */
function toValues(entry: Entry, attribute: string): (string | Buffer)[] {
  const name = Object.keys(entry).find((one) => one.toLowerCase() === attribute.toLowerCase());
  const value = name === undefined ? [] : entry[name];
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

export function toTexts(entry: Entry, attribute: string): string[] {
  return toValues(entry, attribute).flatMap((value) => (typeof value === 'string' && value.trim() !== '' ? [value.trim()] : []));
}

/** @returns the subject in canonical form; null unless there is exactly one value that can be a subject */
export function toSubject(entry: Entry, attribute: string): string | null {
  const [value, ...otherValues] = toValues(entry, attribute);
  if (otherValues.length > 0 || value === undefined) return null;
  if (isBinary(attribute)) return Buffer.isBuffer(value) && value.length === 16 ? toGuidText(value) : null;
  const text = Buffer.isBuffer(value) ? value.toString('utf8') : value;
  return text !== '' && text.length <= 200 && !/\p{Cc}/u.test(text) ? text : null;
}

/** @returns the value that a search compares with; null if the text cannot be a subject */
export function toSubjectValue(subject: string, attribute: string): string | Buffer | null {
  return isBinary(attribute) ? toGuidBytes(subject) : subject;
}

/** Formats a GUID in Microsoft's order of bytes: `ffeeddcc-bbaa-9988-7766-554433221100` from `cc dd ee ff aa bb 88 99 77 66 …`. */
function toGuidText(bytes: Buffer): string {
  const hex = Buffer.concat([
    Buffer.from(bytes.subarray(0, 4)).reverse(),
    Buffer.from(bytes.subarray(4, 6)).reverse(),
    Buffer.from(bytes.subarray(6, 8)).reverse(),
    bytes.subarray(8),
  ]).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function toGuidBytes(text: string): Buffer | null {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return null;
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex');
  // Reversing the groups twice restores the original order.
  return Buffer.from(toGuidText(bytes).replaceAll('-', ''), 'hex');
}

export function isActive(entry: Entry, now: Date): boolean {
  const [control = '0'] = toTexts(entry, 'userAccountControl');
  const [expiry = '0'] = toTexts(entry, 'accountExpires');
  const isExpired =
    !NO_EXPIRY.includes(expiry) && /^\d{1,19}$/.test(expiry) && Number(expiry) / 10_000 - MS_FROM_1601_TO_1970 <= now.getTime();
  const isLocked =
    toTexts(entry, 'pwdAccountLockedTime').includes(PERMANENT_LOCK) ||
    toTexts(entry, 'nsAccountLock')[0]?.toLowerCase() === 'true';
  return (Number(control) & ACCOUNT_DISABLE) === 0 && !isExpired && !isLocked;
}

/** @returns the attributes that a search for people requests */
export function listWantedAttributes(settings: LdapSettings): string[] {
  const { subject, login, username, displayName, email, attributes } = settings;
  const names = [subject, ...login, username, displayName, email, ...Object.values(attributes), ...STATE_ATTRIBUTES];
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()];
}

/** @returns the mapped attributes: a list for an attribute with several values, null for an attribute without values */
export function toMappedAttributes(entry: Entry, { attributes }: LdapSettings): Record<string, string | string[] | null> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const [firstValue = null, ...otherValues] = toTexts(entry, attribute);
      return [name, firstValue !== null && otherValues.length > 0 ? [firstValue, ...otherValues] : firstValue];
    }),
  );
}
