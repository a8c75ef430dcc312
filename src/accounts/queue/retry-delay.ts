/** Computes the delay before a failed job is tried again. */
import { randomInt } from 'node:crypto';

export interface RetryDelay {
  firstSeconds: number;
  /** Factor between two delays. */
  growth: number;
  longestSeconds: number;
}

/**
 * Adds up to a quarter at random, so that jobs that failed together are not retried together.
 * @param tries number of tries so far
 */
export function retrySeconds({ firstSeconds, growth, longestSeconds }: RetryDelay, tries: number): number {
  const plain = Math.min(firstSeconds * growth ** (tries - 1), longestSeconds);
  return plain + randomInt(Math.ceil(plain / 4) + 1);
}
