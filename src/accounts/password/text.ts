/**
 * What is hashed of a password: its UTF-8 bytes in NFC, so that `é` typed as one character or as two is the same
 * (NIST SP 800-63B-4, section 3.1.1.2). Nothing is ever cut off: what is too long is refused.
 */
import { codePoints } from '../account/written-text.js';

const LONGEST_PASSWORD = 256;
const LONGEST_PASSWORD_BYTES = 1024;
/** Longer ones are not even normalised: that work grows with the text. */
const LONGEST_UNITS = 4096;

/** No lone surrogates, which UTF-8 cannot say: two different ones would become the same bytes. */
export function isWellFormed(text: string): boolean {
  return !/\p{Cs}/u.test(text);
}

/** @returns null for what cannot be anybody's password: too long, or no well-formed Unicode */
export function passwordBytes(password: string): Buffer | null {
  if (password.length > LONGEST_UNITS || !isWellFormed(password)) return null;
  const text = password.normalize('NFC');
  const bytes = Buffer.from(text, 'utf8');
  return bytes.length <= LONGEST_PASSWORD_BYTES && codePoints(text) <= LONGEST_PASSWORD ? bytes : null;
}
