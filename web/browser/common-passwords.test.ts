import { describe, expect, it } from '@jest/globals';
import { isCommonPassword as isCommonOnServer } from '../../src/accounts/password/common-passwords.js';
import { isCommonPassword } from '../../src/contract/common-passwords.js';
import list from './common-password-list.js';

const DICTIONARY = new Set(list.split('\n'));

describe('[VAL-1] common passwords in the browser', () => {
  it.each([
    ['passwort1', true],
    ['Sommer2026', true],
    ['P455w0rt', true],
    ['Mäuschen1', true],
    ['qwertz123', true],
    ['letmein!', true],
    ['krapsel1', false],
    ['Blaubeere-Kutsche', false],
    ['correct horse battery staple', false],
    ['k7pq2x', false],
  ])('are recognised as on the server: %j (%s)', (password, expected) => {
    expect(isCommonPassword(password, DICTIONARY)).toBe(expected);
    expect(isCommonOnServer(password)).toBe(expected);
  });

  it('are common on the server too (every hundredth entry of the list)', () => {
    const entries = list.split('\n');
    expect(entries.length).toBeGreaterThan(50_000);
    expect(entries.filter((entry, index) => index % 100 === 0 && !isCommonOnServer(entry))).toEqual([]);
  });
});
