import { createHmac, createPrivateKey, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { Store } from '../store/store.js';
import { Signer, UnverifiableToken } from './signer.js';

const toPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('Signer', () => {
  const store = Store.open(null, () => undefined);
  let signer: Signer;
  let token: string;

  beforeAll(async () => {
    signer = await Signer.load(store);
    token = signer.sign({ sub: 'alice', exp: 1 });
  });

  it('signs tokens that anyone can verify with the published keys', async () => {
    const keys = createLocalJWKSet(signer.publicJwks());
    const { payload, protectedHeader } = await jwtVerify(token, keys, { currentDate: new Date(0) });
    expect(payload['sub']).toBe('alice');
    expect(protectedHeader.alg).toBe('RS256');
    expect(Object.keys(signer.publicJwks().keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  it('reads its own tokens, expired or not, even after a restart', async () => {
    expect(signer.read(token)).toEqual({ sub: 'alice', exp: 1 });
    expect((await Signer.load(store)).read(token)).toEqual({ sub: 'alice', exp: 1 });
  });

  it('refuses a token without a signature, with the signature of another token, or signed with the public key as a secret', () => {
    const claims = toPart({ sub: 'eve' });
    const publicKey = JSON.stringify(signer.publicJwks().keys[0]);
    const hmacInput = `${toPart({ alg: 'HS256' })}.${claims}`;
    const forgedTokens = [
      `${toPart({ alg: 'none' })}.${claims}.`,
      `${hmacInput}.${createHmac('sha256', publicKey).update(hmacInput).digest('base64url')}`,
      `${token.split('.')[0] ?? ''}.${claims}.${token.split('.')[2] ?? ''}`,
      `${toPart({ alg: 'RS256' })}.${claims}.`,
    ];
    for (const text of forgedTokens) expect(() => signer.read(text)).toThrow(UnverifiableToken);
  });

  it('refuses a token that names another algorithm, even if its signature is valid', () => {
    const input = `${toPart({ alg: 'none' })}.${toPart({ sub: 'eve' })}`;
    const key = createPrivateKey({ key: signer.privateJwk(), format: 'jwk' });
    const signature = sign('sha256', Buffer.from(input), key).toString('base64url');
    expect(() => signer.read(`${input}.${signature}`)).toThrow(UnverifiableToken);
  });

  it.each([
    '',
    'x',
    'a.b.c',
    'a.b',
    'a.b.c.d',
    '..',
    `${toPart({ alg: 'RS256' })}.${Buffer.from('[]').toString('base64url')}.AAAA`,
  ])('refuses %j', (text) => {
    expect(() => signer.read(text)).toThrow(UnverifiableToken);
  });
});
