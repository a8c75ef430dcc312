/**
 * Password hashes made by other products: which formats are accepted, their maximum cost, and their verification. More
 * expensive hashes are refused, because every sign-in attempt would cost as much. The hash is replaced at the owner's next
 * sign-in.
 */
import { pbkdf2, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { parseOptions, verify as verifyArgon2 } from '@node-rs/argon2';

export type ForeignHash = {
  /** The hash; the unused bits of a bcrypt salt are zero. */
  text: string;
  name: string;
} & (
  | { scheme: 'argon2' | 'bcrypt' }
  | { scheme: 'pbkdf2'; digest: string; iterations: number; salt: Buffer; key: Buffer }
  | { scheme: 'scrypt'; cost: number; blockSize: number; parallelism: number; salt: Buffer; key: Buffer }
);

/** @param isKnown true if the format is supported, and only the cost, size or a value is refused */
export class HashRefused extends Error {
  constructor(
    readonly isKnown: boolean,
    message: string,
  ) {
    super(message);
    this.name = 'HashRefused';
  }
}

/** The highest cost takes about one second on one core. */
const BCRYPT_COSTS = { min: 4, max: 14 };
const MAX_ITERATIONS = 2_000_000;
/** For argon2 and scrypt: memory of one verification, and memory that is written in all passes (argon2) or lanes (scrypt). */
const MAX_MEMORY_KIB = 256 * 1024;
const MAX_WRITTEN_KIB = 1024 * 1024;
const MAX_LANES = 16;
/** OpenSSL counts more than the memory of one verification: also the lanes and its internal blocks. */
const MAX_SCRYPT_BYTES = 2 * MAX_MEMORY_KIB * 1024;
/** Shorter keys can collide; longer keys only add work. */
const KEY_BYTES = { min: 16, max: 64 };
const MAX_SALT_BYTES = 128;
const MAX_HASH_LENGTH = 512;
const DIGEST_BYTES: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 };

const BCRYPT = /^(\$2[aby]\$)(\d\d)\$([./A-Za-z0-9]{21})([./A-Za-z0-9])([./A-Za-z0-9]{30}[.CGKOSWaeimquy26])$/;
const BCRYPT_LETTERS = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ARGON2 = /^\$(argon2(?:id|i|d))(?:\$v=(?:16|19))?\$m=(\d{1,10}),t=(\d{1,10}),p=(\d{1,10})\$([\w+/]{11,})\$([\w+/]+)$/;
const PBKDF2 = /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d{1,10})(?:,l=\d{1,4})?\$([\w+/.]+={0,2})\$([\w+/.]+={0,2})$/;
const DJANGO = /^pbkdf2_(sha1|sha256|sha512)\$(\d{1,10})\$([^$]+)\$([\w+/]+={0,2})$/;
const SCRYPT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,10}),p=(\d{1,10})\$([\w+/.]+={0,2})\$([\w+/.]+={0,2})$/;

const derivePbkdf2 = promisify(pbkdf2);
const deriveScrypt = promisify<Buffer, Buffer, number, object, Buffer>(scrypt);

/** @throws HashRefused */
export function readForeignHash(input: string): ForeignHash {
  const text = input.length > MAX_HASH_LENGTH ? '' : input;
  const hash = readBcrypt(text) ?? readArgon2(text) ?? readPbkdf2(text) ?? readScrypt(text);
  if (hash) return hash;
  throw new HashRefused(
    false,
    'has an unknown format. docs/import-export.md lists the accepted formats of bcrypt, argon2, pbkdf2 and scrypt.',
  );
}

/** @returns whether the password matches; false for a password that the scheme does not accept */
export async function verifyForeignHash(hash: ForeignHash, password: Buffer): Promise<boolean> {
  switch (hash.scheme) {
    case 'argon2':
      return verifyArgon2(hash.text, password).catch(() => false);
    case 'bcrypt': {
      const { verify: verifyBcrypt } = await import('@node-rs/bcrypt');
      // bcrypt uses only the first 72 bytes. The hash that replaces this one covers the whole password.
      return verifyBcrypt(password, hash.text).catch(() => false);
    }
    case 'pbkdf2': {
      const { salt, iterations, key, digest } = hash;
      return timingSafeEqual(await derivePbkdf2(password, salt, iterations, key.length, digest), key);
    }
    case 'scrypt': {
      const { salt, key, cost, blockSize, parallelism: parallelization } = hash;
      const options = { cost, blockSize, parallelization, maxmem: MAX_SCRYPT_BYTES };
      return timingSafeEqual(await deriveScrypt(password, salt, key.length, options), key);
    }
  }
}

function readBcrypt(text: string): ForeignHash | null {
  const [, prefix = '', cost = '', salt = '', lastLetter = '', key = ''] = BCRYPT.exec(text) ?? [];
  if (key === '') return null;
  const { min, max } = BCRYPT_COSTS;
  requireAccepted(Number(cost) >= min && Number(cost) <= max, `has a bcrypt cost of ${cost}; ${min} to ${max} are accepted.`);
  // The last four bits of the last letter of the salt are unused. Some products set them; the library requires zeros.
  const canonicalLetter = BCRYPT_LETTERS[BCRYPT_LETTERS.indexOf(lastLetter) & 0x30] ?? lastLetter;
  return { scheme: 'bcrypt', name: 'bcrypt', text: `${prefix}${cost}$${salt}${canonicalLetter}${key}` };
}

function readArgon2(text: string): ForeignHash | null {
  const [, name = '', memory = '', passes = '', lanes = '', , key = ''] = ARGON2.exec(text) ?? [];
  if (name === '') return null;
  requireAffordable(Number(memory), Number(memory) * Number(passes), Number(lanes));
  requireKey(Math.floor((key.length * 3) / 4));
  try {
    parseOptions(text);
  } catch {
    throw new HashRefused(true, `is not a valid ${name} hash.`);
  }
  return { scheme: 'argon2', name, text };
}

function readPbkdf2(text: string): ForeignHash | null {
  const phc = PBKDF2.exec(text);
  const [, digest = 'sha1', count = '', salt = '', key = ''] = phc ?? DJANGO.exec(text) ?? [];
  if (key === '') return null;
  const hash = {
    digest,
    iterations: Number(count),
    salt: phc ? decodeBase64(salt) : Buffer.from(salt, 'utf8'),
    key: decodeBase64(key),
  };
  requireSalt(hash.salt);
  requireKey(hash.key.length);
  // The key consists of blocks that are as long as the digest, and each block needs all iterations (RFC 8018, section 5.2).
  const maxIterations = Math.floor(MAX_ITERATIONS / Math.ceil(hash.key.length / (DIGEST_BYTES[digest] ?? 1)));
  const isAffordable = hash.iterations >= 1 && hash.iterations <= maxIterations;
  const limitText = `1 to ${maxIterations} are accepted.`;
  requireAccepted(isAffordable, `has ${count} iterations of pbkdf2 for a key of ${hash.key.length} bytes; ${limitText}`);
  return { scheme: 'pbkdf2', name: `pbkdf2-${digest}`, text, ...hash };
}

function readScrypt(text: string): ForeignHash | null {
  const [, log = '', size = '', lanes = '', salt = '', key = ''] = SCRYPT.exec(text) ?? [];
  if (key === '') return null;
  const [cost, blockSize, parallelism] = [2 ** Number(log), Number(size), Number(lanes)];
  const memoryKiB = (128 * cost * blockSize) / 1024;
  requireAffordable(memoryKiB, memoryKiB * parallelism, parallelism);
  // RFC 7914, section 2. OpenSSL throws for other parameters.
  const isDefined = cost >= 2 && cost < 2 ** (16 * blockSize);
  requireAccepted(isDefined, `has ln=${log} with r=${size}; scrypt is defined for ln of at least 1 and below 16 times r.`);
  const isComputed = 128 * blockSize * (cost + parallelism + 2) <= MAX_SCRYPT_BYTES;
  requireAccepted(isComputed, `needs too much memory with r=${size} and p=${lanes}; only smaller values are accepted.`);
  const hash = { cost, blockSize, parallelism, salt: decodeBase64(salt), key: decodeBase64(key) };
  requireSalt(hash.salt);
  requireKey(hash.key.length);
  return { scheme: 'scrypt', name: 'scrypt', text, ...hash };
}

function requireAffordable(memoryKiB: number, writtenKiB: number, lanes: number): void {
  const isSound = memoryKiB > 0 && writtenKiB > 0 && lanes > 0;
  requireAccepted(isSound, 'has a parameter that is zero.');
  const isAffordable = memoryKiB <= MAX_MEMORY_KIB && writtenKiB <= MAX_WRITTEN_KIB && lanes <= MAX_LANES;
  const limitsText = `${MAX_MEMORY_KIB / 1024} MiB at once, ${MAX_WRITTEN_KIB / 1024} MiB written in total and ${MAX_LANES} lanes`;
  requireAccepted(isAffordable, `needs too much work; at most ${limitsText} are accepted.`);
}

function requireSalt({ length }: Buffer): void {
  requireAccepted(length >= 1 && length <= MAX_SALT_BYTES, `has a salt of ${length} bytes; 1 to ${MAX_SALT_BYTES} are accepted.`);
}

function requireKey(bytes: number): void {
  const { min, max } = KEY_BYTES;
  requireAccepted(bytes >= min && bytes <= max, `has a key of ${bytes} bytes; ${min} to ${max} are accepted.`);
}

function requireAccepted(isAccepted: boolean, message: string): void {
  if (!isAccepted) throw new HashRefused(true, message);
}

/** Decodes base64 of the PHC string format, of passlib (a dot for the plus), and of Django and Keycloak (padded). */
function decodeBase64(text: string): Buffer {
  return Buffer.from(text.replaceAll('.', '+'), 'base64');
}
