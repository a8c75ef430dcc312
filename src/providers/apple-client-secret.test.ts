import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { TestClock } from '../../test/support/test-clock.js';
import { AppleClientSecret } from './apple-client-secret.js';

const AUDIENCE = 'https://appleid.apple.com';

describe("Apple's client secret", () => {
  const { publicKey, privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  let clock: TestClock;
  let secret: AppleClientSecret;

  beforeEach(() => {
    clock = new TestClock();
    secret = new AppleClientSecret({ clientId: 'com.example.login', teamId: 'TEAM', keyId: 'KEY', privateKey }, clock);
  });

  it('names issuer, subject and audience, and is signed with the key', async () => {
    const jwt = await secret.get(AUDIENCE);
    expect(decodeProtectedHeader(jwt)).toMatchObject({ alg: 'ES256', kid: 'KEY' });
    const { payload } = await jwtVerify(jwt, publicKey, { audience: AUDIENCE, issuer: 'TEAM', subject: 'com.example.login' });
    expect(payload.exp! - payload.iat!).toBe(3600);
  });

  it('is reused while it is valid, and renewed ten minutes before it expires', async () => {
    const firstSecret = await secret.get(AUDIENCE);
    clock.advanceSeconds(2990);
    expect(await secret.get(AUDIENCE)).toBe(firstSecret);
    clock.advanceSeconds(20);
    const secondSecret = await secret.get(AUDIENCE);
    expect(secondSecret).not.toBe(firstSecret);
    expect(decodeJwt(secondSecret).exp! - clock.now().getTime() / 1000).toBeGreaterThan(3590);
  });

  it('is valid for one audience only', async () => {
    const appleSecret = await secret.get(AUDIENCE);
    expect(decodeJwt(await secret.get('https://other.example')).aud).toBe('https://other.example');
    expect(decodeJwt(appleSecret).aud).toBe(AUDIENCE);
  });
});
