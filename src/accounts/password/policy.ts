/**
 * Decides which new passwords are accepted (VAL-1, docs/security.md D1). The length is counted in code points. The list of common
 * passwords is compared with the whole password after simple substitutions are undone, and repetitions and endings such as a year are
 * removed. Composition rules exist and are off by default.
 */
import type { Config } from '../../config/config.js';
import type { PasswordFault } from '../../contract/manage-state.js';
import { foldText } from '../../contract/folded-text.js';
import { isCommonPassword } from './common-passwords.js';
import { isWellFormed, toPasswordBytes } from './text.js';
import { countCodePoints } from '../account/written-text.js';

export interface PasswordContext {
  policy: Config['password'];
  username: string;
  appName: string;
  /** Whether the account signs in with a second factor too, apart from trusted browsers. */
  usesSecondFactor?: boolean;
}

/** @returns the minimum length of a new password, in characters */
export function findMinLength({ minLength, minLengthAlone = minLength }: Config['password'], usesSecondFactor: boolean): number {
  return usesSecondFactor ? minLength : minLengthAlone;
}

const CONTROL = /\p{Cc}/u;

/**
 * @returns all faults, but only one if the password is empty, too long or not well-formed; an empty list if the password is
 * accepted
 */
export function checkPassword(
  password: string,
  { policy, username, appName, usesSecondFactor = false }: PasswordContext,
): PasswordFault[] {
  if (password === '') return ['empty'];
  if (!toPasswordBytes(password)) return [isWellFormed(password) ? 'too-long' : 'characters'];
  const text = password.normalize('NFC');
  const faults: [PasswordFault, boolean][] = [
    ['characters', CONTROL.test(text)],
    ['too-short', countCodePoints(text) < findMinLength(policy, usesSecondFactor)],
    ['lower-missing', policy.requireLower && !/\p{Ll}/u.test(text)],
    ['upper-missing', policy.requireUpper && !/\p{Lu}/u.test(text)],
    ['digit-missing', policy.requireDigit && !/\p{Nd}/u.test(text)],
    ['common', isCommonPassword(text)],
    ['username', isVariant(text, username)],
    ['app-name', isVariant(text, appName)],
  ];
  return faults.flatMap(([fault, applies]) => (applies ? [fault] : []));
}

/** Whether the password is the word, the reversed word, or the word between digits and symbols. */
function isVariant(password: string, word: string): boolean {
  const foldedWord = foldText(word).replace(/\s/gu, '');
  if (foldedWord === '') return false;
  const foldedPassword = foldText(password).replace(/\s/gu, '');
  const wordLetters = trimToLetters(foldedWord);
  return (
    foldedPassword === foldedWord ||
    foldedPassword === [...foldedWord].reverse().join('') ||
    trimToLetters(foldedPassword) === foldedWord ||
    // Otherwise a username of digits would refuse every password without letters.
    (wordLetters !== '' && trimToLetters(foldedPassword) === wordLetters)
  );
}

function trimToLetters(text: string): string {
  const characters = [...text];
  const isLetter = (character: string): boolean => /\p{L}/u.test(character);
  return characters.slice(Math.max(characters.findIndex(isLetter), 0), characters.findLastIndex(isLetter) + 1).join('');
}
