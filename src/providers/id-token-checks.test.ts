import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { requireStrictToken } from './id-token-checks.js';
import { ProviderRefused } from './provider.errors.js';

const NOW_SECONDS = 1_800_000_000;
const ACCESS_TOKEN = 'access-token';

function check(alg: string, atHash: string): void {
  const idToken = `${Buffer.from(JSON.stringify({ alg })).toString('base64url')}.e30.c2ln`;
  const claims = {
    iss: 'https://id.example',
    sub: 'maria',
    aud: 'foyer',
    iat: NOW_SECONDS,
    exp: NOW_SECONDS + 60,
    at_hash: atHash,
  };
  requireStrictToken({ idToken, claims, accessToken: ACCESS_TOKEN, clientId: 'foyer', nowSeconds: NOW_SECONDS });
}

function toHash(name: string): string {
  const digest = createHash(name).update(ACCESS_TOKEN).digest();
  return digest.subarray(0, digest.length / 2).toString('base64url');
}

describe('the at_hash of an ID token', () => {
  it.each([
    ['RS256', 'sha256'],
    ['PS384', 'sha384'],
    ['ES512', 'sha512'],
    ['EdDSA', 'sha512'],
    ['Ed25519', 'sha512'],
  ])('[S-72] with the algorithm %s is compared with a hash by %s', (alg, hash) => {
    expect(() => check(alg, toHash(hash))).not.toThrow();
    expect(() => check(alg, toHash(hash === 'sha256' ? 'sha512' : 'sha256'))).toThrow(ProviderRefused);
  });
});
