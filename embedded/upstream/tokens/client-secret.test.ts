import { describe, expect, it } from '@jest/globals';
import { generateSecret, hashSecret, verifySecret } from './client-secret.js';

describe('client secrets', () => {
  it('are kept as hashes that only the secret fits, the first time and after', async () => {
    const hash = await hashSecret('secretsecret');
    expect(hash).not.toContain('secretsecret');
    expect(await hashSecret('secretsecret')).not.toBe(hash);
    for (let time = 0; time < 2; time++) {
      expect(await verifySecret('secretsecret', hash)).toBe(true);
      expect(await verifySecret('secretsecre', hash)).toBe(false);
    }
  });

  it.each(['', 'scrypt', 'scrypt$$', 'scrypt$AAAA$AAAA', '$$$$'])('fit no hash like %j', async (hash) => {
    expect(await verifySecret('', hash)).toBe(false);
  });

  it('are 26 signs that need no encoding when they are generated', () => {
    expect(generateSecret()).toMatch(/^[A-Za-z0-9.~_-]{26}$/);
    expect(generateSecret()).not.toBe(generateSecret());
  });
});
