import { createPublicKey, sign, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Keys } from './keys.js';
import { deriveSigningKeys } from './signing-keys.js';

const NEW_SECRET = 'a secret that is newer than the other one';
const OLD_SECRET = 'a secret that was in use until yesterday';

describe('a signing key', () => {
  it('is derived only from a secret and a purpose, and publishes nothing private', async () => {
    const [[firstKey], [sameKey], [otherKey]] = await Promise.all([
      deriveSigningKeys(new Keys([OLD_SECRET]), 'registration-ticket'),
      deriveSigningKeys(new Keys([OLD_SECRET]), 'registration-ticket'),
      deriveSigningKeys(new Keys([NEW_SECRET]), 'registration-ticket'),
    ]);
    expect(firstKey?.publicJwk).toEqual(sameKey?.publicJwk);
    expect(otherKey?.kid).not.toBe(firstKey?.kid);
    expect((await deriveSigningKeys(new Keys([OLD_SECRET]), 'source-question'))[0]?.kid).not.toBe(firstKey?.kid);
    expect(Object.keys(firstKey?.publicJwk ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  it('exists for each secret, the newest first; the key of an older secret stays the same', async () => {
    const [newestKey, olderKey] = await deriveSigningKeys(new Keys([NEW_SECRET, OLD_SECRET]), 'registration-ticket');
    const [oldKey] = await deriveSigningKeys(new Keys([OLD_SECRET]), 'registration-ticket');
    expect(olderKey?.publicJwk).toEqual(oldKey?.publicJwk);
    const message = Buffer.from('message');
    const signature = sign('sha256', message, newestKey!.privateKey);
    const toKey = (jwk: object) => createPublicKey({ format: 'jwk', key: jwk as never });
    expect(verify('sha256', message, toKey(newestKey!.publicJwk), signature)).toBe(true);
    expect(verify('sha256', message, toKey(olderKey!.publicJwk), signature)).toBe(false);
  });
});
