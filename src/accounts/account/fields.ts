/**
 * Validation of account fields other than the username. The values appear in pages, mails and ID tokens, so line breaks and characters
 * that cannot be shown or that reorder text are refused.
 */
import type { Locale } from '../../contract/locale.js';
import { parseDay } from '../../config/calendar-day.js';
import { toDomain } from '../../config/domains.js';
import { isLanguageTag } from '../../config/settings-kinds.js';
import { AccountFieldInvalid } from './account.errors.js';
import { countCodePoints, isPrintable, isVisible } from './written-text.js';

const MAX_NAME_LENGTH = 128;
/** RFC 5321, sections 4.5.3.1.1 and 4.5.3.1.3: the longest path has 256 octets, including its brackets. */
const MAX_LOCAL_PART_LENGTH = 64;
const MAX_EMAIL_LENGTH = 254;
const MAX_URL_LENGTH = 2048;
/**
 * `dot-atom` of RFC 5322, section 3.2.3. Quoted local parts are valid, but they are rare and parsers disagree about
 * them.
 */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const INSTANT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;
/** A domain needs a dot: a name without a dot is a machine in the local network (RFC 5321, section 2.3.5). */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Maximum number of groups of an account, not including `group_name`. */
export const MAX_GROUPS = 250;

export function checkName(field: 'displayName' | 'groupName' | 'groups', input: string): string {
  const subject = field === 'groups' ? 'Each entry of groups' : field;
  const name = checkText(field, input, subject).trim().normalize('NFC');
  if (name === '') {
    const message = field === 'groups' ? `${subject} must not be empty.` : `${field} may be left out, but must not be empty.`;
    throw new AccountFieldInvalid(field, 'missing', message);
  }
  if (countCodePoints(name) > MAX_NAME_LENGTH) {
    throw new AccountFieldInvalid(field, 'too-long', `${subject} must have at most ${MAX_NAME_LENGTH} characters.`);
  }
  return name;
}

export function checkEmail(input: string): string {
  const email = checkText('email', input).trim();
  if (email === '') throw new AccountFieldInvalid('email', 'missing', 'email may be left out, but must not be empty.');
  if (email.length > MAX_EMAIL_LENGTH) {
    throw new AccountFieldInvalid('email', 'too-long', `email must have at most ${MAX_EMAIL_LENGTH} characters.`);
  }
  const at = email.lastIndexOf('@');
  const localPart = email.slice(0, Math.max(at, 0));
  const domain = toDomain(email.slice(at + 1)) ?? '';
  const isWellFormed =
    LOCAL_PART.test(localPart) && localPart.length <= MAX_LOCAL_PART_LENGTH && DOMAIN.test(domain) && isVisible(email);
  if (!isWellFormed) throw new AccountFieldInvalid('email', 'format', 'email is not an e-mail address.');
  return email;
}

/** @returns a key that is equal for all spellings of an address */
export function toEmailKey(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, at).toLowerCase()}@${toDomain(email.slice(at + 1)) ?? ''}`;
}

export function checkPicture(input: string): string {
  const address = checkText('picture', input).trim();
  const url = URL.canParse(address) ? new URL(address) : null;
  // The stored URL is longer if characters have to be encoded.
  if (Math.max(address.length, url?.href.length ?? 0) > MAX_URL_LENGTH) {
    throw new AccountFieldInvalid('picture', 'too-long', `picture must have at most ${MAX_URL_LENGTH} characters.`);
  }
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw new AccountFieldInvalid('picture', 'format', 'picture must be an http or https URL without a username or password.');
  }
  return url.href;
}

/** Any language is allowed: pages and mails use the nearest language that is offered. */
export function checkLanguage(input: string): Locale {
  if (!isLanguageTag(input))
    throw new AccountFieldInvalid('language', 'format', 'language is not a language tag (BCP 47) such as de or pt-BR.');
  return new Intl.Locale(input).toString();
}

export function checkSecondFactor(input: string): 'optional' | 'required' {
  if (input === 'optional' || input === 'required') return input;
  throw new AccountFieldInvalid('secondFactor', 'format', 'secondFactor must be optional or required.');
}

export function checkStatus(input: string): 'active' | 'disabled' {
  if (input === 'active' || input === 'disabled') return input;
  throw new AccountFieldInvalid('status', 'format', 'status must be active or disabled.');
}

/** @param input ISO 8601 with a time zone, from 1970 and, in UTC, before the year 10000, whose JSON PostgreSQL cannot read */
export function checkInstant(field: string, input: string): Date {
  const [, date = ''] = INSTANT.exec(input) ?? [];
  const instant = new Date(input);
  if (!(parseDay(date) !== null && instant.getTime() > 0 && instant.getUTCFullYear() < 10_000)) {
    throw new AccountFieldInvalid(
      field,
      'format',
      `${field} must be a time from 1970 to 9999 with a time zone, such as 2024-02-29T08:00:00Z.`,
    );
  }
  return instant;
}

export function checkFlag(field: string, input: unknown): boolean {
  if (typeof input !== 'boolean') throw new AccountFieldInvalid(field, 'format', `${field} must be true or false.`);
  return input;
}

/** @param subject grammatical subject of the message of an error */
function checkText(field: string, input: unknown, subject = field): string {
  if (typeof input !== 'string') throw new AccountFieldInvalid(field, 'format', `${subject} must be a string.`);
  if (input.length > 2 * MAX_URL_LENGTH) throw new AccountFieldInvalid(field, 'too-long', `${subject} must be shorter.`);
  if (!isPrintable(input))
    throw new AccountFieldInvalid(field, 'characters', `${subject} must not have characters that cannot be shown.`);
  return input;
}
