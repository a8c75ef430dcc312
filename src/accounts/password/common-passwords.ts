/** Checks passwords against published lists of common passwords, which are loaded when the first new password is checked. */
import { createRequire } from 'node:module';
import {
  toCommonPasswords,
  isCommonPassword as isCommon,
  type CommonPasswords,
  type PublishedLists,
} from '../../contract/common-passwords.js';

const require = createRequire(import.meta.url);
const loadDictionary = (name: string) => (require(name) as { dictionary: unknown }).dictionary;

let commonPasswords: CommonPasswords | undefined;

/** @returns whether the password is among those that attackers try first */
export function isCommonPassword(password: string): boolean {
  commonPasswords ??= toCommonPasswords({
    common: loadDictionary('@zxcvbn-ts/language-common'),
    german: loadDictionary('@zxcvbn-ts/language-de'),
  } as PublishedLists);
  return isCommon(password, commonPasswords);
}
