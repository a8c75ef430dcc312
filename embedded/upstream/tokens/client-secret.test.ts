import { describe, expect, it } from '@jest/globals';
import { generateSecret, hashSecret, verifySecret } from './client-secret.js';

/** The hash of `secretsecret` that another process has stored. */
const STORED_HASH = 'scrypt$MDEyMzQ1Njc4OWFiY2RlZg$aJlnkZjfBvmkhEpaFugMtwbY4uD2YH9pGMj2Qe5IEjA';

describe('client secrets', () => {
  it('are stored as hashes that only the right secret matches, with and without the cache', async () => {
    const hash = await hashSecret('secretsecret');
    expect(hash).not.toContain('secretsecret');
    expect(await hashSecret('secretsecret')).not.toBe(hash);
    for (const storedHash of [hash, STORED_HASH, STORED_HASH]) {
      expect(await verifySecret('secretsecre', storedHash)).toBe(false);
      expect(await verifySecret('secretsecret', storedHash)).toBe(true);
    }
  });

  it.each(['', 'scrypt', 'scrypt$$', 'scrypt$AAAA$AAAA', '$$$$'])('do not match the malformed hash %j', async (hash) => {
    expect(await verifySecret('', hash)).toBe(false);
  });

  it('are generated with 26 characters that need no encoding', () => {
    expect(generateSecret()).toMatch(/^[A-Za-z0-9.~_-]{26}$/);
    expect(generateSecret()).not.toBe(generateSecret());
  });
});
