/**
 * The keys that sign registration tickets and questions to user sources, which other services verify. They are derived from
 * `SECRETS_SYSTEM`, so all replicas have the same keys, and operators do not have to create or store them. Keys of older secrets stay
 * published until these secrets are removed.
 */
import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { KeyPurpose, Keys } from './keys.js';

export const SIGNING_ALGORITHM = 'ES256';

/** Order of the group of P-256 (NIST SP 800-186, section 3.2.1.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
  publicJwk: JWK;
}

/** @returns one key for each secret, the newest first */
export async function deriveSigningKeys(
  keys: Keys,
  purpose: Extract<KeyPurpose, 'registration-ticket' | 'source-question'>,
): Promise<SigningKey[]> {
  const firstHalves = keys.macs(purpose, 'key, first half');
  const secondHalves = keys.macs(purpose, 'key, second half');
  return Promise.all(firstHalves.map((half, index) => toKey(Buffer.from(half + (secondHalves[index] ?? ''), 'base64url'))));
}

/** @param bits random bits, many more than the order has, so that the key is uniformly distributed (FIPS 186-5, A.2.1) */
async function toKey(bits: Buffer): Promise<SigningKey> {
  const scalar = (BigInt(`0x${bits.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const privateValue = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(privateValue);
  const point = curve.getPublicKey();
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const kid = await calculateJwkThumbprint(jwk);
  return {
    kid,
    privateKey: createPrivateKey({ format: 'jwk', key: { ...jwk, d: privateValue.toString('base64url') } }),
    publicJwk: { ...jwk, kid, alg: SIGNING_ALGORITHM, use: 'sig' },
  };
}
