import { describe, expect, it } from '@jest/globals';
import { murmur3 } from './murmur3.js';

describe('murmur3', () => {
  // Cookie name endings that Hydra v26.2.0 produced for these clients.
  it.each([
    ['web-ba5b4d', 1285667625],
    ['web2-ba5b4d', 3062265022],
    ['dev-ba5b4d', 2282097396],
    ['devc-ba5b4d', 114406926],
    ['skip-889b1a', 1346211709],
  ])('of %s is the value that Hydra computes', (clientId, expected) => {
    expect(murmur3(clientId)).toBe(expected);
  });

  it('hashes texts of every length', () => {
    expect(murmur3('')).toBe(0);
    expect(new Set(['a', 'ab', 'abc', 'abcd', 'abcde'].map(murmur3)).size).toBe(5);
  });
});
