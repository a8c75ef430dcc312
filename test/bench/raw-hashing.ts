/** Measures Argon2id alone with the parameters of the product, as the lower limit for the cost of a login. */
import { hash, verify } from '@node-rs/argon2';
import { DEFAULT_HASH_PAIR, HASH_PAIRS } from '../../src/config/hash-pairs.js';
import { answerQuestions } from './worker.js';

export interface RawHashing {
  perSecond: number;
  cpuMsEach: number;
}

const PASSWORD = 'one password for all of them';

export function hashRaw(): void {
  answerQuestions({ hash: measure });
}

async function measure({ count, concurrency }: { count: number; concurrency: number }): Promise<RawHashing> {
  const { memoryKiB: memoryCost, iterations: timeCost } = HASH_PAIRS[DEFAULT_HASH_PAIR];
  const options = { memoryCost, timeCost, parallelism: 1, outputLen: 32 };
  // Argon2id is the default of the package.
  const phc = await hash(PASSWORD, options);
  const begin = performance.now();
  const before = process.cpuUsage();
  let left = count;
  const verifyInTurn = async (): Promise<void> => {
    while (left-- > 0) await verify(phc, PASSWORD);
  };
  await Promise.all(Array.from({ length: concurrency }, verifyInTurn));
  const { user, system } = process.cpuUsage(before);
  return { perSecond: (count / (performance.now() - begin)) * 1000, cpuMsEach: (user + system) / 1000 / count };
}
