import { HASH_PAIRS } from '../../config/hash-pairs.js';
import { availableParallelism } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import * as argon2 from '@node-rs/argon2';

/** The hashes against which passwords were verified, in order. */
const verifiedHashes: string[] = [];
jest.unstable_mockModule('@node-rs/argon2', () => ({
  ...argon2,
  verify: (phc: string, password: Buffer) => {
    verifiedHashes.push(phc);
    return argon2.verify(phc, password);
  },
}));
const { HasherBusy, PasswordHasher } = await import('./hasher.js');

const CHEAP_HASHING = { memoryKiB: 64, iterations: 1, queueLength: 100 };
const SECURE_HASHING = { memoryKiB: 19_456, iterations: 2, queueLength: 100 };

/** The threads of libuv's pool if `UV_THREADPOOL_SIZE` is not set. */
const DEFAULT_POOL_THREADS = 4;

describe('PasswordHasher', () => {
  const poolSize = process.env['UV_THREADPOOL_SIZE'];
  beforeEach(() => {
    delete process.env['UV_THREADPOOL_SIZE'];
  });
  afterEach(() => {
    if (poolSize === undefined) delete process.env['UV_THREADPOOL_SIZE'];
    else process.env['UV_THREADPOOL_SIZE'] = poolSize;
  });

  it('creates argon2id hashes of the configured cost and verifies them', async () => {
    const hasher = new PasswordHasher({ hashing: SECURE_HASHING });
    const phc = await hasher.hash('correct horse');
    expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await hasher.verify(phc, 'correct horse')).toBe(true);
    expect(await hasher.verify(phc, 'correct horse ')).toBe(false);
    expect(await hasher.hash('correct horse')).not.toBe(phc);
  });

  it.each([[''], ['x'], ['$2b$10$abcdefghijklmnopqrstuv'], ['$argon2id$v=19$m=64,t=1,p=1$AA$AA'], ['$argon2id$']])(
    'reports a wrong password for the unknown or malformed hash %j',
    async (phc) => {
      expect(await new PasswordHasher({ hashing: CHEAP_HASHING }).verify(phc, 'secret')).toBe(false);
    },
  );

  it('[VAL-1] treats the composed and the decomposed spelling as the same password', async () => {
    const hasher = new PasswordHasher({ hashing: CHEAP_HASHING });
    expect(await hasher.verify(await hasher.hash('caf\u00E9 zwei'), 'cafe\u0301 zwei')).toBe(true);
  });

  it('[VAL-1] hashes 256 code points, and refuses longer passwords instead of truncating them', async () => {
    const hasher = new PasswordHasher({ hashing: CHEAP_HASHING });
    const longestPassword = '😀'.repeat(256);
    const phc = await hasher.hash(longestPassword);
    expect(await hasher.verify(phc, longestPassword)).toBe(true);
    expect(await hasher.verify(phc, `${longestPassword}x`)).toBe(false);
    await expect(hasher.hash(`${longestPassword}x`)).rejects.toThrow(RangeError);
    await expect(hasher.hash('x'.repeat(257))).rejects.toThrow(RangeError);
  });

  it('does not treat an ill-formed password as the well-formed password with the same bytes in UTF-8', async () => {
    const hasher = new PasswordHasher({ hashing: CHEAP_HASHING });
    expect(await hasher.verify(await hasher.hash('pass\uFFFDword'), 'pass\uD800word')).toBe(false);
  });

  it('decides which hashes need a rehash', async () => {
    const phc = await new PasswordHasher({ hashing: { ...CHEAP_HASHING, memoryKiB: 128 } }).hash('secret');
    expect(new PasswordHasher({ hashing: { ...CHEAP_HASHING, memoryKiB: 128 } }).needsRehash(phc)).toBe(false);
    expect(new PasswordHasher({ hashing: CHEAP_HASHING }).needsRehash(phc)).toBe(false);
    for (const [actualPair, wantedPair] of [
      ['argon2id-19m', 'argon2id-7m'],
      ['argon2id-7m', 'argon2id-19m'],
    ] as const) {
      const { memoryKiB, iterations } = HASH_PAIRS[actualPair];
      const otherHash = phc.replace('m=128,t=1', `m=${memoryKiB},t=${iterations}`);
      expect(new PasswordHasher({ hashing: { ...HASH_PAIRS[wantedPair], queueLength: 1 } }).needsRehash(otherHash)).toBe(true);
      expect(new PasswordHasher({ hashing: { ...HASH_PAIRS[actualPair], queueLength: 1 } }).needsRehash(otherHash)).toBe(false);
    }
    expect(new PasswordHasher({ hashing: { ...CHEAP_HASHING, memoryKiB: 256 } }).needsRehash(phc)).toBe(true);
    expect(new PasswordHasher({ hashing: { ...CHEAP_HASHING, memoryKiB: 128, iterations: 2 } }).needsRehash(phc)).toBe(true);
    expect(new PasswordHasher({ hashing: CHEAP_HASHING }).needsRehash(phc.replace('argon2id', 'argon2i'))).toBe(true);
    for (const [ownPart, otherPart] of [
      ['p=1', 'p=4'],
      ['v=19', 'v=16'],
      ['v=19$', ''],
    ] as const) {
      expect(new PasswordHasher({ hashing: CHEAP_HASHING }).needsRehash(phc.replace(ownPart, otherPart))).toBe(true);
    }
    expect(new PasswordHasher({ hashing: CHEAP_HASHING }).needsRehash('$2b$10$abcdefghijklmnopqrstuv')).toBe(true);
  });

  it('[LOG-6] does the same work for an unknown account as for a known account', async () => {
    const hasher = new PasswordHasher({ hashing: SECURE_HASHING });
    const phc = await hasher.hash('correct horse');
    verifiedHashes.length = 0;
    await hasher.verify(phc, 'wrong');
    await hasher.verifyDummy('wrong');
    expect(await hasher.verifyDummy('x'.repeat(10_000))).toBe(false);
    const [knownCost, ...unknownCosts] = verifiedHashes.map(toCost);
    expect(knownCost).toEqual({ parameters: '$argon2id$v=19$m=19456,t=2,p=1', saltBytes: 16, hashBytes: 32 });
    expect(unknownCosts).toEqual([knownCost, knownCost]);
  });

  it('queues hashes up to its limit, refuses the rest, and works afterwards', async () => {
    const queueLength = 3;
    const hasher = new PasswordHasher({ hashing: { ...CHEAP_HASHING, queueLength } });
    const hashes = Array.from({ length: 50 }, () => hasher.hash('secret'));
    const results = await Promise.allSettled(hashes);
    const fulfilledResults = results.filter(({ status }) => status === 'fulfilled');
    expect(fulfilledResults).toHaveLength(Math.min(availableParallelism(), DEFAULT_POOL_THREADS) + queueLength);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(HasherBusy);
    await expect(hasher.hash('secret')).resolves.toContain('argon2id');
  });

  it.each([
    ['1', 1],
    ['0', 1],
    ['', 1],
    ['1024', availableParallelism()],
  ])('computes at most as many hashes at once as the pool has threads and the machine has cores: %j', async (size, count) => {
    process.env['UV_THREADPOOL_SIZE'] = size;
    const hasher = new PasswordHasher({ hashing: CHEAP_HASHING });
    const hashes = Array.from({ length: availableParallelism() + 1 }, () => hasher.hash('secret'));
    expect(hasher.load.runningCount).toBe(count);
    await Promise.all(hashes);
  });
});

/** @returns everything on which the work of argon2 depends, except the length of the password */
function toCost(phc: string): { parameters: string; saltBytes: number; hashBytes: number } {
  const parts = phc.split('$');
  const [salt, hash] = parts.slice(-2).map((text) => Buffer.from(text, 'base64').length);
  return { parameters: parts.slice(0, -2).join('$'), saltBytes: salt ?? 0, hashBytes: hash ?? 0 };
}
