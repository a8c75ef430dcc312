import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { findWeakness } from './secret-strength.js';

describe('findWeakness', () => {
  it.each([
    ['', /shorter/],
    ['kVd0pZ7m2QxR4tYb9NcW1sHfJ6gLu3E', /shorter/],
    ['youReallyNeedToChangeThis-youReally', /sample/],
    ['this-is-a-Secret-of-the-quick-start', /sample/],
    ['a'.repeat(64), /not random/],
    ['x7Kq9m2p'.repeat(4), /not random/],
    ['x7Kq9m2pLw4'.repeat(4).slice(0, 37), /not random/],
    ['abcdefghijklmnopqrstuvwxyzABCDEF', /not random/],
    ['0123456789'.repeat(4), /sample|not random/],
    ['aaaabbbbccccddddeeeeffffgggghhhhiiii', /not random/],
  ])('refuses %s', (secret, reason) => {
    expect(findWeakness(secret)).toMatch(reason);
  });

  it('accepts generated secrets in base64url and in hex', () => {
    const generatedSecrets = Array.from({ length: 500 }, () => randomBytes(32)).flatMap((bytes) => [
      bytes.toString('base64url'),
      bytes.toString('hex'),
    ]);
    expect(generatedSecrets.filter((secret) => findWeakness(secret) !== null)).toEqual([]);
  });
});
