import { describe, expect, it } from '@jest/globals';
import { listPasswordChecks, scorePassword } from './password-strength.js';

const RULES = { min_length: 6, require_lower: false, require_upper: false, require_digit: false };

describe('strength of a password', () => {
  it.each([
    // Bits are the number of characters times log2 of the pool. A segment is 20 bits; the first starts with the first
    // character.
    ['', 0],
    ['a', 1],
    ['abcd', 1],
    ['abcde', 2],
    ['abcdefgh', 2],
    ['abcdefghi', 3],
    ['Kutsche', 2],
    ['kutsche1', 3],
    ['Kutsche1', 3],
    ['Blaubeere-Ku', 4],
    ['Blaubeere-Kutsche', 5],
    ['abcdefghijklmnopq', 4],
    ['abcdefghijklmnopqr', 5],
  ])('[VAL-2] %j has %i of 5 segments', (password, score) => {
    expect(scorePassword(password)).toBe(score);
  });

  it('[VAL-2] counts other characters only in passwords of at least 8 characters', () => {
    expect(scorePassword('!!!!!!!')).toBe(1);
    expect(scorePassword('!!!!!!!!')).toBe(3);
    // Seven characters: with a pool of 26 letters, the password has 33 bits; with the larger pool, it would have 41.
    expect(scorePassword('abcde-f')).toBe(2);
    expect(scorePassword('abcdef-g')).toBe(3);
  });

  it('[VAL-2] counts the code points of the normalised text', () => {
    expect(scorePassword('a\u0308bcd')).toBe(scorePassword('äbcd'));
    expect(scorePassword('😀😀😀😀')).toBe(1);
  });
});

describe('checklist of a password', () => {
  it('[VAL-3] always contains the length and the repetition, and the other rules only if they apply', () => {
    expect(listPasswordChecks('', '', RULES)).toEqual([
      { rule: 'length', ok: false },
      { rule: 'equal', ok: false },
    ]);
    const strictRules = { min_length: 6, require_lower: true, require_upper: true, require_digit: true };
    expect(listPasswordChecks('Kutsche', 'kutsche', strictRules)).toEqual([
      { rule: 'length', ok: true },
      { rule: 'lower', ok: true },
      { rule: 'upper', ok: true },
      { rule: 'digit', ok: false },
      { rule: 'equal', ok: false },
    ]);
  });

  it('[VAL-3] counts code points, and compares normalised texts', () => {
    expect(listPasswordChecks('😀😀😀', '😀😀😀', RULES)[0]).toEqual({ rule: 'length', ok: false });
    expect(listPasswordChecks('a\u0308bcdef', 'äbcdef', RULES)).toEqual([
      { rule: 'length', ok: true },
      { rule: 'equal', ok: true },
    ]);
  });
});
