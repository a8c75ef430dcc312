/**
 * Decides which usernames are allowed and when two of them are equal. A name is stored trimmed and in NFKC; equality uses a key, so that
 * `Änne`, `ÄNNE` and full-width variants are the same name for accounts, limits and sign-in.
 */
import { randomInt } from 'node:crypto';
import { foldText } from '../../contract/folded-text.js';
import { AccountFieldInvalid } from './account.errors.js';
import { countCodePoints, isVisible } from './written-text.js';

const MIN_LENGTH = 3;
const MAX_LENGTH = 64;
/** Limit in UTF-16 units. Longer texts are not normalised: the work grows with the length, and no account has such a name. */
const MAX_UTF16_UNITS = 4 * MAX_LENGTH;
const ALLOWED_CHARACTERS = /^[\p{L}\p{Nd}._@+-]+$/u;
/** Right-to-left scripts, whose display order changes next to digits and dots. */
const RIGHT_TO_LEFT_CHARACTERS = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const LATIN_LETTERS = /\p{Script=Latin}/u;
/** Scripts with letters that look like Latin letters. A name that mixes them with Latin is deceptive (UTS 39, section 5.2). */
const LATIN_LOOK_ALIKES =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;

/**
 * @returns the name as stored: trimmed and in NFKC
 * @throws AccountFieldInvalid
 */
export function checkUsername(input: string): string {
  if (typeof input !== 'string') throw new AccountFieldInvalid('username', 'format', 'username must be a string.');
  const username = normalise(input);
  if (username === '') throw new AccountFieldInvalid('username', 'missing', 'A username is required.');
  const length = countCodePoints(username);
  if (length > MAX_LENGTH)
    throw new AccountFieldInvalid('username', 'too-long', `A username may have at most ${MAX_LENGTH} characters.`);
  if (!isAllowed(username)) {
    const message = 'Only letters of scripts that run from left to right, digits and . _ @ + - are allowed in a username.';
    throw new AccountFieldInvalid('username', 'characters', message);
  }
  // Checked for new names only: an existing name that mixes scripts keeps working.
  if (LATIN_LETTERS.test(username) && LATIN_LOOK_ALIKES.test(username)) {
    const message =
      'A username must not mix Latin letters with letters of a script that looks similar, such as Cyrillic or Greek.';
    throw new AccountFieldInvalid('username', 'characters', message);
  }
  if (length < MIN_LENGTH)
    throw new AccountFieldInvalid('username', 'too-short', `A username must have at least ${MIN_LENGTH} characters.`);
  return username;
}

/** @returns a key that is equal for all spellings of a name, or null if the text cannot be a name */
export function toUsernameKey(input: string): string | null {
  const username = normalise(input);
  const length = countCodePoints(username);
  return length >= MIN_LENGTH && length <= MAX_LENGTH && isAllowed(username) ? foldText(username) : null;
}

/** @returns a username for a person who has not chosen one, or may not have the chosen one */
export function createUsername(): string {
  return `user-${String(randomInt(10 ** 12)).padStart(12, '0')}`;
}

function normalise(input: string): string {
  return input.length > MAX_UTF16_UNITS ? input : input.trim().normalize('NFKC');
}

function isAllowed(username: string): boolean {
  return ALLOWED_CHARACTERS.test(username) && isVisible(username) && !RIGHT_TO_LEFT_CHARACTERS.test(username);
}
