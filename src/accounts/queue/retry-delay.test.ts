import { describe, expect, it } from '@jest/globals';
import { MAIL_RETRY, MAX_TRIES } from './outbox-claims.js';
import { computeRetrySeconds } from './retry-delay.js';

describe('the delay before another try', () => {
  it('[R-13] grows up to a limit and has a random part', () => {
    const fixedDelays = [30, 120, 480, 1920, 7680, 21_600, 21_600];
    for (const [index, seconds] of fixedDelays.entries()) {
      const delays = Array.from({ length: 200 }, () => computeRetrySeconds(MAIL_RETRY, index + 1));
      expect(Math.min(...delays)).toBeGreaterThanOrEqual(seconds);
      expect(Math.max(...delays)).toBeLessThanOrEqual(seconds * 1.25 + 1);
      expect(new Set(delays).size).toBeGreaterThan(3);
    }
  });

  it('[R-13] spreads the tries of a mail over more than twelve hours', () => {
    const total = Array.from({ length: MAX_TRIES - 1 }, (_, index) => computeRetrySeconds(MAIL_RETRY, index + 1)).reduce(
      (sum, next) => sum + next,
    );
    expect(total).toBeGreaterThan(12 * 3600);
  });
});
