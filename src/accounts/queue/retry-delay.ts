/** When work that failed is tried again. */
import { randomInt } from 'node:crypto';

export interface RetryDelay {
  firstSeconds: number;
  /** Each is so many times as long as the one before. */
  growth: number;
  longestSeconds: number;
}

/**
 * Up to a quarter longer than the plain delay, so that what failed together does not come back together.
 * @param tries how many there have been
 */
export function retrySeconds({ firstSeconds, growth, longestSeconds }: RetryDelay, tries: number): number {
  const plain = Math.min(firstSeconds * growth ** (tries - 1), longestSeconds);
  return plain + randomInt(Math.ceil(plain / 4) + 1);
}
