/**
 * Client secrets, stored as salted scrypt hashes. When a secret is hashed or verified, a keyed hash of it is cached in this process,
 * so that a client does not wait for scrypt at every token request.
 */
import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const HASH_BYTES = 32;
const derive = promisify(scrypt) as (secret: string, salt: Buffer, bytes: number) => Promise<Buffer>;

export const MIN_SECRET_BYTES = 6;
const GENERATED_CHARACTERS = 26;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-.~_';

export function generateSecret(): string {
  // Only 64 of the 66 characters are used, so that all are equally likely.
  return [...randomBytes(GENERATED_CHARACTERS)].map((byte) => ALPHABET[byte & 63]).join('');
}

export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = `scrypt$${salt.toString('base64url')}$${(await derive(secret, salt, HASH_BYTES)).toString('base64url')}`;
  remember(secret, hash);
  return hash;
}

const processKey = randomBytes(32);
/** Keyed hashes of secrets by their stored hash. */
const cache = new Map<string, string>();
const MAX_CACHED_HASHES = 1000;

export async function verifySecret(secret: string, hash: string): Promise<boolean> {
  if (cache.get(hash) === toKeyedHash(secret)) return true;
  const [, salt = '', expected = ''] = hash.split('$');
  const actual = await derive(secret, Buffer.from(salt, 'base64url'), HASH_BYTES);
  const isRight = timingSafeEqual(actual, Buffer.from(expected.padEnd(43, 'A'), 'base64url').subarray(0, HASH_BYTES));
  if (isRight) remember(secret, hash);
  return isRight;
}

function remember(secret: string, hash: string): void {
  if (cache.size >= MAX_CACHED_HASHES) cache.clear();
  cache.set(hash, toKeyedHash(secret));
}

function toKeyedHash(secret: string): string {
  return createHmac('sha256', processKey).update(secret).digest('base64url');
}
