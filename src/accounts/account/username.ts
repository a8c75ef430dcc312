/**
 * User names: which are allowed, and when two are the same. The spelling that was given is kept; equality goes by a key,
 * so that `Änne`, `ÄNNE` and their full-width look-alikes are one name for accounts, limits and sign-in alike.
 */
import { folded } from '../../contract/folded-text.js';
import { AccountFieldInvalid } from './account.errors.js';
import { codePoints, isVisible } from './written-text.js';

const SHORTEST = 3;
const LONGEST = 64;
/** Beyond it nothing is normalised: the work grows with the text, and no account has such a name. */
const LONGEST_UNITS = 4 * LONGEST;
const ALLOWED = /^[\p{L}\p{Nd}._@+-]+$/u;
/** Blocks that are written from right to left; mixed with digits and dots they change places on the screen. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const LATIN = /\p{Script=Latin}/u;
/** Scripts whose letters pass for Latin ones: beside them they are there to deceive (UTS 39, section 5.2). */
const CONFUSABLE_WITH_LATIN =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;

/**
 * @returns the name as it is kept: trimmed and in NFKC
 * @throws AccountFieldInvalid
 */
export function checkUsername(given: string): string {
  if (typeof given !== 'string') throw new AccountFieldInvalid('username', 'format', 'username has to be a text.');
  const username = normalised(given);
  if (username === '') throw new AccountFieldInvalid('username', 'missing', 'A username is needed.');
  const length = codePoints(username);
  if (length > LONGEST) throw new AccountFieldInvalid('username', 'too-long', `A username has at most ${LONGEST} characters.`);
  // Asked of new names only: whoever has one goes on signing in with it.
  if (!isAllowed(username) || (LATIN.test(username) && CONFUSABLE_WITH_LATIN.test(username))) {
    throw new AccountFieldInvalid('username', 'characters', 'A username has letters, digits and . _ @ + - only.');
  }
  if (length < SHORTEST)
    throw new AccountFieldInvalid('username', 'too-short', `A username has at least ${SHORTEST} characters.`);
  return username;
}

/** @returns what two spellings of one name have in common, or null for what cannot be a name */
export function usernameKey(given: string): string | null {
  const username = normalised(given);
  const length = codePoints(username);
  return length >= SHORTEST && length <= LONGEST && isAllowed(username) ? folded(username) : null;
}

function normalised(given: string): string {
  return given.length > LONGEST_UNITS ? given : given.trim().normalize('NFKC');
}

function isAllowed(username: string): boolean {
  return ALLOWED.test(username) && isVisible(username) && !RIGHT_TO_LEFT.test(username);
}
