import { beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT, exportJWK, generateKeyPair, type CryptoKey } from 'jose';
import { KeysUnavailable, PublishedKeys } from './published-keys.js';

let nowMs: number;
let publishedKeys: object[];
let readings: number;
let isDown: boolean;
let keys: PublishedKeys;

beforeEach(() => {
  nowMs = Date.parse('2026-11-23T08:00:00Z');
  publishedKeys = [];
  readings = 0;
  isDown = false;
  const clock = { now: () => new Date(nowMs), skewMs: 0 };
  keys = new PublishedKeys(clock, () => {
    readings += 1;
    return isDown ? Promise.reject(new Error('down')) : Promise.resolve({ keys: publishedKeys });
  });
});

/** Publishes a new key of the service in place of all others. */
async function publishNewKey(kid: string): Promise<CryptoKey> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  publishedKeys = [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256' }];
  return privateKey;
}

const signToken = (key: CryptoKey, kid: string) => new SignJWT({ sub: 'x' }).setProtectedHeader({ alg: 'ES256', kid }).sign(key);
const verify = async (key: CryptoKey, kid = 'one') => keys.verify(await signToken(key, kid), {});

describe('the published keys of another service', () => {
  it('are read once for many messages', async () => {
    const key = await publishNewKey('one');
    await Promise.all([verify(key), verify(key)]);
    expect((await verify(key)).payload.sub).toBe('x');
    expect(readings).toBe(1);
  });

  it.each(['two', 'one'])('are read again for a new key with the id %p, at most every 30 seconds', async (kid) => {
    await verify(await publishNewKey('one'));
    const newKey = await publishNewKey(kid);
    await expect(verify(newKey, kid)).rejects.toThrow();
    nowMs += 30_000;
    expect((await verify(newKey, kid)).payload.sub).toBe('x');
    expect(readings).toBe(2);
  });

  it('are not read more often when an attacker signs with another key', async () => {
    const key = await publishNewKey('one');
    await verify(key);
    nowMs += 30_000;
    const { privateKey: forgedKey } = await generateKeyPair('ES256');
    for (let tries = 0; tries < 5; tries += 1) await expect(verify(forgedKey)).rejects.toThrow('signature');
    expect(readings).toBe(2);
    expect((await verify(key)).payload.sub).toBe('x');
  });

  it('stay in use if they cannot be read again after a wrong signature', async () => {
    const key = await publishNewKey('one');
    await verify(key);
    nowMs += 30_000;
    isDown = true;
    const { privateKey: forgedKey } = await generateKeyPair('ES256');
    await expect(verify(forgedKey)).rejects.toBeInstanceOf(KeysUnavailable);
    expect((await verify(key)).payload.sub).toBe('x');
  });

  it('refuse a MAC with the public key as its secret, and report that they cannot be read', async () => {
    const key = await publishNewKey('one');
    const secret = Buffer.from(JSON.stringify(publishedKeys[0]));
    const mac = await new SignJWT({}).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret);
    await expect(keys.verify(mac, {})).rejects.toThrow();
    const unavailableKeys = new PublishedKeys({ now: () => new Date(nowMs), skewMs: 0 }, () => Promise.reject(new Error('down')));
    await expect(unavailableKeys.verify(await signToken(key, 'one'), {})).rejects.toBeInstanceOf(KeysUnavailable);
  });
});
