import { describe, expect, it } from '@jest/globals';
import { HASH_PAIRS } from '../../../config/hash-pairs.js';
import { judgeCost } from './passwords.check.js';

const PAIRS = { 'argon2id-19m': 20, 'argon2id-12m': 15, 'argon2id-9m': 13, 'argon2id-7m': 12 };

describe('what a password hash costs', () => {
  it('proposes a pair that needs much less CPU', () => {
    expect(judgeCost(HASH_PAIRS['argon2id-19m'], { used: 20, pairs: PAIRS })).toMatchObject({
      level: 'ok',
      what: expect.stringMatching(
        /needs 20\.0 ms of CPU here .*; argon2id-7m, which is as strong, needs 12\.0 ms: set PASSWORD_HASH=argon2id-7m in/,
      ),
    });
  });

  it('names the settings that a pair replaces', () => {
    const { what } = judgeCost({ memoryKiB: 65_536, iterations: 3 }, { used: 90, pairs: PAIRS }, ['HASH_MEMORY_KIB', 'PORT']);
    expect(what).toContain('set PASSWORD_HASH=argon2id-7m and remove HASH_MEMORY_KIB in');
  });

  it.each([
    ['a difference that changes from run to run', HASH_PAIRS['argon2id-12m'], 15],
    ['hashes of a test', { memoryKiB: 64, iterations: 1 }, 30],
  ])('proposes none for %s', (_, hashing, used) => {
    expect(judgeCost(hashing, { used, pairs: PAIRS }).what).not.toContain('PASSWORD_HASH=');
  });
});
