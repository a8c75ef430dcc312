import { describe, expect, it, jest } from '@jest/globals';
import { AccountFieldInvalid } from './account.errors.js';
import { checkUsername, toUsernameKey } from './username.js';

function describeResult(username: string): string {
  try {
    return `accepted as ${checkUsername(username)}`;
  } catch (error) {
    if (error instanceof AccountFieldInvalid) return error.code;
    throw error;
  }
}

describe('username', () => {
  it.each([
    ['anna.schmidt@example.org', 'anna.schmidt@example.org'],
    ['  Anna  ', 'Anna'],
    ['A\u0308nne', 'Änne'],
    ['ａｎｎａ', 'anna'],
    ['жанна_1', 'жанна_1'],
    ['a'.repeat(64), 'a'.repeat(64)],
    ['𝕒𝕟𝕟𝕒', 'anna'],
  ])('stores %j as %j', (input, storedName) => {
    expect(checkUsername(input)).toBe(storedName);
  });

  it.each([
    ['', 'missing'],
    ['   ', 'missing'],
    ['ab', 'too-short'],
    ['a'.repeat(65), 'too-long'],
    ['x'.repeat(1_000_000), 'too-long'],
    ['an na', 'characters'],
    ['anna\u0000', 'characters'],
    ['anna\r\nBcc:x', 'characters'],
    ['an\u200Bna', 'characters'],
    ['an\u202Ena', 'characters'],
    ['an\u2066na', 'characters'],
    ['אננה', 'characters'],
    ['an\uD800na', 'characters'],
    ["' OR 1=1--", 'characters'],
    ['anna%', 'characters'],
    ['anna\\', 'characters'],
    ['<b>anna', 'characters'],
    ['\u0430dmin', 'characters'],
    ['adm\u03B9n', 'characters'],
  ])('refuses %j as %s', (input, code) => {
    expect(describeResult(input)).toBe(code);
  });

  it.each([
    ['Anna', 'ANNA'],
    ['Straße', 'STRASSE'],
    ['Änne', 'A\u0308NNE'],
    ['ﬁnn.office', 'Finn.Office'],
    ['ſusanne', 'Susanne'],
    ['ΟΔΟΣ', 'οδος'],
    ['１２３anna', '123anna'],
    ['isık', 'ISIK'],
  ])('treats %j and %j as the same name', (one, other) => {
    expect(toUsernameKey(one)).not.toBeNull();
    expect(toUsernameKey(one)).toBe(toUsernameKey(other));
  });

  it('returns different keys for different names', () => {
    const keys = ['anna', 'anna1', 'änna', 'аnna', 'ann.a', 'anna@'].map(toUsernameKey);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('[VAL-5] lets people with a name that is not allowed for new accounts sign in', () => {
    expect(toUsernameKey('\u0430dmin')).not.toBeNull();
  });

  it('returns no key for a text that cannot be a name, and does not normalise a text that is too long', () => {
    expect(toUsernameKey('anna\u0000')).toBeNull();
    expect(toUsernameKey('an\uDC00na')).toBeNull();
    const normalise = jest.spyOn(String.prototype, 'normalize');
    try {
      expect(toUsernameKey('\u0344'.repeat(1_000_000))).toBeNull();
      expect(normalise).not.toHaveBeenCalled();
    } finally {
      normalise.mockRestore();
    }
  });
});
