/** The published lists of common passwords on the server: unpacked when the first new password is checked, not at start. */
import { createRequire } from 'node:module';
import { commonPasswordsOf, isCommonPassword as isCommon } from '../../contract/common-passwords.js';
import type { CommonPasswords, PublishedLists } from '../../contract/common-passwords.js';

const require = createRequire(import.meta.url);
const dictionaryOf = (name: string) => (require(name) as { dictionary: unknown }).dictionary;

let known: CommonPasswords | undefined;

/** @returns whether the password is one of the first that anybody tries */
export function isCommonPassword(password: string): boolean {
  known ??= commonPasswordsOf({
    common: dictionaryOf('@zxcvbn-ts/language-common'),
    german: dictionaryOf('@zxcvbn-ts/language-de'),
  } as PublishedLists);
  return isCommon(password, known);
}
