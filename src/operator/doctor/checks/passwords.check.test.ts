import { describe, expect, it } from '@jest/globals';
import { HASH_PAIRS } from '../../../config/hash-pairs.js';
import { checkLengths, judgeCost } from './passwords.check.js';

const PAIRS = { 'argon2id-19m': 20, 'argon2id-12m': 15, 'argon2id-9m': 13, 'argon2id-7m': 12 };

describe('the doctor about the cost of a password hash', () => {
  it('proposes a pair that needs much less CPU', () => {
    expect(judgeCost(HASH_PAIRS['argon2id-19m'], { currentMs: 20, pairs: PAIRS })).toMatchObject({
      level: 'ok',
      what: expect.stringMatching(
        /needs 20\.0 ms of CPU here .*; argon2id-7m, which is strong enough, needs 12\.0 ms: set PASSWORD_HASH=argon2id-7m in/,
      ),
    });
  });

  it('names the settings that a pair replaces', () => {
    const { what } = judgeCost({ memoryKiB: 65_536, iterations: 3 }, { currentMs: 90, pairs: PAIRS }, [
      'HASH_MEMORY_KIB',
      'PORT',
    ]);
    expect(what).toContain('set PASSWORD_HASH=argon2id-7m and remove HASH_MEMORY_KIB in');
  });

  it.each([
    ['a difference within the variation of measurements', HASH_PAIRS['argon2id-12m'], 15],
    ['the weak hashes of tests', { memoryKiB: 64, iterations: 1 }, 30],
  ])('proposes no pair for %s', (_, hashing, currentMs) => {
    expect(judgeCost(hashing, { currentMs, pairs: PAIRS }).what).not.toContain('PASSWORD_HASH=');
  });
});

describe('the doctor about the length of a password', () => {
  it('reports a length that is too short without a second factor', () => {
    expect(checkLengths({ minLength: 14 })).toMatchObject([
      { level: 'hint', what: 'A password needs only 14 characters, even without a second factor.' },
    ]);
  });

  it('reports nothing about 15 characters without a second factor, whatever the profile is', () => {
    expect(checkLengths({ minLength: 8, minLengthAlone: 15 })).toEqual([]);
    expect(checkLengths({ minLength: 15 })).toEqual([]);
  });
});
