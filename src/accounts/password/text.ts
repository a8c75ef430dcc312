/**
 * Converts a password to the bytes that are hashed: UTF-8 of the NFC form, so that composed and decomposed characters are equal
 * (NIST SP 800-63B-4, section 3.1.1.2). Passwords are never truncated; a password that is too long is refused.
 */
import { countCodePoints } from '../account/written-text.js';

const MAX_PASSWORD_LENGTH = 256;
const MAX_PASSWORD_BYTES = 1024;
/** Limit in UTF-16 units. Longer texts are not normalised, because the work grows with the length. */
const MAX_UNITS = 4096;

/** @returns false for lone surrogates, because UTF-8 would encode different lone surrogates as the same bytes */
export function isWellFormed(text: string): boolean {
  return !/\p{Cs}/u.test(text);
}

/** @returns null if the text cannot be a password, because it is too long or malformed Unicode */
export function toPasswordBytes(password: string): Buffer | null {
  if (password.length > MAX_UNITS || !isWellFormed(password)) return null;
  const text = password.normalize('NFC');
  const bytes = Buffer.from(text, 'utf8');
  return bytes.length <= MAX_PASSWORD_BYTES && countCodePoints(text) <= MAX_PASSWORD_LENGTH ? bytes : null;
}
