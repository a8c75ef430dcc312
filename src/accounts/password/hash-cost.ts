/** Measures the cost of password hashes on this machine. */
import { hash } from '@node-rs/argon2';
import { HASH_PAIRS, type HashCost, type HashPair } from '../../config/hash-pairs.js';

/** Other work of the process and the machine only adds time, so the shortest of several times is used. */
const ROUNDS = 5;

/** Results are cached: the machine does not change while the process runs, and a measurement takes a tenth of a second. */
const measurements = new Map<string, Promise<number>>();

/** @returns milliseconds of CPU time for one hash */
export function measureHash({ memoryKiB, iterations }: HashCost): Promise<number> {
  const key = `${memoryKiB} ${iterations}`;
  const measurement = measurements.get(key) ?? measureRounds({ memoryKiB, iterations });
  measurements.set(key, measurement);
  return measurement;
}

async function measureRounds({ memoryKiB, iterations }: HashCost): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const usageBefore = process.cpuUsage();
    await hash('a password', { memoryCost: memoryKiB, timeCost: iterations, parallelism: 1, outputLen: 32 });
    const { user, system } = process.cpuUsage(usageBefore);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

/** @returns milliseconds of CPU time for one hash, by pair of parameters */
export async function measureHashPairs(): Promise<Record<HashPair, number>> {
  const names = Object.keys(HASH_PAIRS) as HashPair[];
  const times: [HashPair, number][] = [];
  for (const name of names) times.push([name, await measureHash(HASH_PAIRS[name])]);
  return Object.fromEntries(times) as Record<HashPair, number>;
}
