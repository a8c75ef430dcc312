/** Computes the delay before a failed job is tried again. */
import { randomInt } from 'node:crypto';

export interface RetryDelay {
  firstSeconds: number;
  /** Factor by which each delay is longer than the previous delay. */
  growth: number;
  longestSeconds: number;
}

/**
 * Adds a random part of up to a quarter, so that jobs that failed at the same time are not retried at the same time.
 * @param tries number of tries so far
 */
export function computeRetrySeconds({ firstSeconds, growth, longestSeconds }: RetryDelay, tries: number): number {
  const fixedSeconds = Math.min(firstSeconds * growth ** (tries - 1), longestSeconds);
  return fixedSeconds + randomInt(Math.ceil(fixedSeconds / 4) + 1);
}
