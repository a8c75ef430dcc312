import { describe, expect, it } from '@jest/globals';
import { findCommonPasswords, isCommonPassword } from './common-passwords.js';

const DICTIONARY = findCommonPasswords({
  common: { 'passwords-common': ['password', 'kx4711', 'monkey12'] },
  german: { commonWords: ['Sommer', 'Mäuschen'], firstnames: ['Jürgen'], lastnames: ['Groß'] },
});
const isCommon = (password: string) => isCommonPassword(password, DICTIONARY);

describe('[VAL-1] common passwords', () => {
  it.each(['password', 'PASSWORD1!', 'p@ssw0rd', 'Sommer2026', 'maeuschen', 'Mäuschen', 'JÜRGEN99', 'gross1', 'sommersommer'])(
    'an entry in a usual disguise: %j',
    (password) => expect(isCommon(password)).toBe(true),
  );

  it.each(['monkey', 'Monkey2024'])('an entry without its ending: %j', (password) => expect(isCommon(password)).toBe(true));

  it.each(['654321', '12341234', 'qwertz1', 'mnbvcxy', '1qay2wsx', 'abcdefgh', 'aaaaaa', 'abcabcabc'])(
    'a sequence or a repetition: %j',
    (password) => expect(isCommon(password)).toBe(true),
  );

  it('not what begins like an entry that is short without its digits', () => {
    expect(isCommon('kx4711')).toBe(true);
    expect(isCommon('kx8302')).toBe(false);
  });

  it.each(['', 'sommer wiese', 'passwortkarte', 'krapsel1', '日本語のパス'])('not %j', (password) =>
    expect(isCommon(password)).toBe(false),
  );
});
