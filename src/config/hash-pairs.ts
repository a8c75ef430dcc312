/**
 * The cost of a password hash. The OWASP Password Storage Cheat Sheet lists pairs of memory and passes for argon2id with one lane that
 * are equally strong; which pair needs the least CPU depends on the machine.
 */
import type { SettingValues } from './settings.js';

/** Cost of one argon2id hash. */
export interface HashCost {
  memoryKiB: number;
  iterations: number;
}

/** The pairs by their names in `PASSWORD_HASH`. */
export const HASH_PAIRS = {
  'argon2id-19m': { memoryKiB: 19_456, iterations: 2 },
  'argon2id-12m': { memoryKiB: 12_288, iterations: 3 },
  'argon2id-9m': { memoryKiB: 9216, iterations: 4 },
  'argon2id-7m': { memoryKiB: 7168, iterations: 5 },
} as const satisfies Record<string, HashCost>;

export type HashPair = keyof typeof HASH_PAIRS;

/**
 * The pair of earlier versions. With another default, the time of an answer would distinguish old accounts from unknown names (decision
 * 0084).
 */
export const DEFAULT_HASH_PAIR: HashPair = 'argon2id-19m';

/** OWASP's pair for a single pass, which no name selects: it needs the most memory and CPU. */
const ONE_PASS: HashCost = { memoryKiB: 47_104, iterations: 1 };

/** `HASH_MEMORY_KIB` and `HASH_ITERATIONS` replace the pair; if only one of them is set, the other value comes from `argon2id-19m`. */
export function toHashCost({ pair, memoryKiB, iterations }: SettingValues['hashing']): HashCost {
  if (memoryKiB === undefined && iterations === undefined) return HASH_PAIRS[pair ?? DEFAULT_HASH_PAIR];
  const fallback = HASH_PAIRS['argon2id-19m'];
  return { memoryKiB: memoryKiB ?? fallback.memoryKiB, iterations: iterations ?? fallback.iterations };
}

/** Whether the cost is at least as high as one of OWASP's pairs. */
export function isStrongEnough({ memoryKiB, iterations }: HashCost): boolean {
  const pairs: HashCost[] = [ONE_PASS, ...Object.values(HASH_PAIRS)];
  return pairs.some((pair) => memoryKiB >= pair.memoryKiB && iterations >= pair.iterations);
}
