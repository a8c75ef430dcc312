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

  it('says who made it for whom, and is signed with the key', async () => {
    const made = await secret.get(AUDIENCE);
    expect(decodeProtectedHeader(made)).toMatchObject({ alg: 'ES256', kid: 'KEY' });
    const { payload } = await jwtVerify(made, publicKey, { audience: AUDIENCE, issuer: 'TEAM', subject: 'com.example.login' });
    expect(payload.exp! - payload.iat!).toBe(3600);
  });

  it('is kept while it is good, and renewed ten minutes before its end', async () => {
    const first = await secret.get(AUDIENCE);
    clock.advanceSeconds(2990);
    expect(await secret.get(AUDIENCE)).toBe(first);
    clock.advanceSeconds(20);
    const second = await secret.get(AUDIENCE);
    expect(second).not.toBe(first);
    expect(decodeJwt(second).exp! - clock.now().getTime() / 1000).toBeGreaterThan(3590);
  });

  it('is made for one address only', async () => {
    const forApple = await secret.get(AUDIENCE);
    expect(decodeJwt(await secret.get('https://stand-in.example')).aud).toBe('https://stand-in.example');
    expect(decodeJwt(forApple).aud).toBe(AUDIENCE);
  });
});
