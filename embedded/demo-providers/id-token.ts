/** Creates ID tokens, with or without a fault. */
import { createHash, createHmac, createPublicKey } from 'node:crypto';
import { SignJWT, type JWK, type JWTPayload } from 'jose';
import type { FaultName } from './faults.js';
import type { KeyRing } from './key-ring.js';
import { TENANTS } from './people.js';

export interface IdTokenParts {
  keys: KeyRing;
  algorithm: string;
  claims: JWTPayload & { iss: string; aud: string; iat: number; exp: number };
  accessToken: string;
  fault: FaultName | null;
}

type Claims = Record<string, unknown>;

/** How a fault changes the claims. `makeIdToken` adds the faults of the header and of the signature. */
const CLAIM_FAULTS: Partial<Record<FaultName, (claims: IdTokenParts['claims']) => Claims>> = {
  nonce: () => ({ nonce: 'of-another-sign-in' }),
  'no-nonce': () => ({ nonce: undefined }),
  issuer: ({ iss }) => ({ iss: `${iss}x` }),
  audience: () => ({ aud: 'another-client' }),
  'two-audiences': ({ aud }) => ({ aud: [aud, 'another-client'], azp: aud }),
  azp: () => ({ azp: 'another-client' }),
  expired: ({ iat }) => ({ iat: iat - 7200, exp: iat - 3600 }),
  'issued-in-future': ({ iat, exp }) => ({ iat: iat + 600, exp: exp + 600 }),
  'no-subject': () => ({ sub: undefined }),
  'subject-number': () => ({ sub: 42 }),
  'subject-long': () => ({ sub: 'x'.repeat(300) }),
  'at-hash': () => ({ at_hash: hashAccessToken('another access token') }),
  'earlier-session': ({ iat }) => ({ auth_time: iat - 30 * 24 * 3600 }),
  'no-auth-time': () => ({ auth_time: undefined }),
  'auth-time-in-future': ({ iat }) => ({ auth_time: iat + 600 }),
  'other-tenant': ({ iss }) => ({ iss: iss.replace(/[0-9a-f-]{36}/, TENANTS.beispielhaus) }),
};

export async function makeIdToken(parts: IdTokenParts): Promise<string> {
  const { keys, algorithm, fault, accessToken } = parts;
  const changes = fault === null ? {} : (CLAIM_FAULTS[fault]?.(parts.claims) ?? {});
  const claims: Claims = { at_hash: hashAccessToken(accessToken), ...parts.claims, ...changes };
  const key = await keys.getCurrentKey();
  if (fault === 'alg-none') return `${encode({ alg: 'none' })}.${encode(claims)}.`;
  if (fault === 'alg-hs256') return signWithPublicKey(claims, key.jwk);
  const foreignKey = await keys.getForeignKey();
  const isForged = fault === 'foreign-key' || fault === 'unknown-kid' || fault === 'embedded-key';
  const header = {
    alg: algorithm,
    kid: fault === 'unknown-kid' ? foreignKey.kid : key.kid,
    // The token contains its own key (`jwk`) and an address of keys (`jku`): a client that trusts either accepts any token.
    ...(fault === 'embedded-key' ? { jwk: foreignKey.jwk, jku: 'https://stranger.example/keys', kid: foreignKey.kid } : {}),
  };
  const token = await new SignJWT(claims).setProtectedHeader(header).sign(isForged ? foreignKey.privateKey : key.privateKey);
  return fault === 'no-signature' ? token.slice(0, token.lastIndexOf('.') + 1) : token;
}

/** Signs with the public key as a shared secret (algorithm confusion). */
function signWithPublicKey(claims: Claims, jwk: JWK): string {
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const input = `${encode({ alg: 'HS256', kid: jwk.kid })}.${encode(claims)}`;
  return `${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Builds `at_hash` for algorithms with 256 bits (OpenID Connect Core, 3.1.3.6). */
function hashAccessToken(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
}
