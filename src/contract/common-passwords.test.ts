import { describe, expect, it } from '@jest/globals';
import { toCommonPasswords, isCommonPassword } from './common-passwords.js';

const DICTIONARY = toCommonPasswords({
  common: { 'passwords-common': ['password', 'kx4711', 'monkey12'] },
  german: { commonWords: ['Sommer', 'Mäuschen'], firstnames: ['Jürgen'], lastnames: ['Groß'] },
});
const isCommon = (password: string) => isCommonPassword(password, DICTIONARY);

describe('[VAL-1] common passwords', () => {
  it.each(['password', 'PASSWORD1!', 'p@ssw0rd', 'Sommer2026', 'maeuschen', 'Mäuschen', 'JÜRGEN99', 'gross1', 'sommersommer'])(
    'include an entry in a usual disguise: %j',
    (password) => expect(isCommon(password)).toBe(true),
  );

  it.each(['monkey', 'Monkey2024'])('include an entry without its ending: %j', (password) =>
    expect(isCommon(password)).toBe(true),
  );

  it.each(['654321', '12341234', 'qwertz1', 'mnbvcxy', '1qay2wsx', 'abcdefgh', 'aaaaaa', 'abcabcabc'])(
    'include a sequence or a repetition: %j',
    (password) => expect(isCommon(password)).toBe(true),
  );

  it('do not include a password that only has a short beginning in common with an entry', () => {
    expect(isCommon('kx4711')).toBe(true);
    expect(isCommon('kx8302')).toBe(false);
  });

  it.each(['', 'sommer wiese', 'passwortkarte', 'krapsel1', '日本語のパス'])('do not include %j', (password) =>
    expect(isCommon(password)).toBe(false),
  );
});
