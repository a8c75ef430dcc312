import { availableParallelism } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { HasherBusy, PasswordHasher } from './hasher.js';

const CHEAP = { memoryKiB: 64, iterations: 1, queueLength: 100 };
const SECURE = { memoryKiB: 19_456, iterations: 2, queueLength: 100 };

describe('PasswordHasher', () => {
  it('makes argon2id hashes of the configured price and verifies them', async () => {
    const hasher = new PasswordHasher({ hashing: SECURE });
    const phc = await hasher.hash('correct horse');
    expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await hasher.verify(phc, 'correct horse')).toBe(true);
    expect(await hasher.verify(phc, 'correct horse ')).toBe(false);
    expect(await hasher.hash('correct horse')).not.toBe(phc);
  });

  it.each([[''], ['x'], ['$2b$10$abcdefghijklmnopqrstuv'], ['$argon2id$v=19$m=64,t=1,p=1$AA$AA'], ['$argon2id$']])(
    'takes the foreign or malformed hash %j for a wrong password',
    async (phc) => {
      expect(await new PasswordHasher({ hashing: CHEAP }).verify(phc, 'secret')).toBe(false);
    },
  );

  it('[VAL-1] takes the composed and the decomposed spelling for one password', async () => {
    const hasher = new PasswordHasher({ hashing: CHEAP });
    expect(await hasher.verify(await hasher.hash('caf\u00E9 zwei'), 'cafe\u0301 zwei')).toBe(true);
  });

  it('[VAL-1] hashes 256 code points, and refuses more instead of cutting them off', async () => {
    const hasher = new PasswordHasher({ hashing: CHEAP });
    const longest = '😀'.repeat(256);
    const phc = await hasher.hash(longest);
    expect(await hasher.verify(phc, longest)).toBe(true);
    expect(await hasher.verify(phc, `${longest}x`)).toBe(false);
    await expect(hasher.hash(`${longest}x`)).rejects.toThrow(RangeError);
    await expect(hasher.hash('x'.repeat(257))).rejects.toThrow(RangeError);
  });

  it('never takes two ill-formed passwords for one', async () => {
    const hasher = new PasswordHasher({ hashing: CHEAP });
    expect(await hasher.verify(await hasher.hash('pass\uFFFDword'), 'pass\uD800word')).toBe(false);
  });

  it('knows which hashes to renew', async () => {
    const phc = await new PasswordHasher({ hashing: { ...CHEAP, memoryKiB: 128 } }).hash('secret');
    expect(new PasswordHasher({ hashing: { ...CHEAP, memoryKiB: 128 } }).needsRehash(phc)).toBe(false);
    expect(new PasswordHasher({ hashing: CHEAP }).needsRehash(phc)).toBe(false);
    expect(new PasswordHasher({ hashing: { ...CHEAP, memoryKiB: 256 } }).needsRehash(phc)).toBe(true);
    expect(new PasswordHasher({ hashing: { ...CHEAP, memoryKiB: 128, iterations: 2 } }).needsRehash(phc)).toBe(true);
    expect(new PasswordHasher({ hashing: CHEAP }).needsRehash(phc.replace('argon2id', 'argon2i'))).toBe(true);
    expect(new PasswordHasher({ hashing: CHEAP }).needsRehash('$2b$10$abcdefghijklmnopqrstuv')).toBe(true);
  });

  it('[LOG-6] spends on nobody what it spends on somebody', async () => {
    const hasher = new PasswordHasher({ hashing: SECURE });
    const phc = await hasher.hash('correct horse');
    const spent = { real: [] as number[], dummy: [] as number[] };
    for (let round = 0; round < 15; round++) {
      spent.real.push(await duration(() => hasher.verify(phc, 'wrong')));
      spent.dummy.push(await duration(() => hasher.verifyDummy('wrong')));
    }
    const ratio = median(spent.dummy) / median(spent.real);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.6);
    expect(await hasher.verifyDummy('x'.repeat(10_000))).toBe(false);
  });

  it('queues within its bound, turns the rest away, and goes on afterwards', async () => {
    const queueLength = 3;
    const hasher = new PasswordHasher({ hashing: { ...CHEAP, queueLength } });
    const many = Array.from({ length: 50 }, () => hasher.hash('secret'));
    const settled = await Promise.allSettled(many);
    const done = settled.filter(({ status }) => status === 'fulfilled');
    expect(done).toHaveLength(availableParallelism() + queueLength);
    for (const one of settled) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(HasherBusy);
    await expect(hasher.hash('secret')).resolves.toContain('argon2id');
  });
});

async function duration(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
