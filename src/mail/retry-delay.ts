/** When a mail that was not sent is tried again, and when it is given up. */
import { randomInt } from 'node:crypto';

/** Together with the delays: the better part of a day. */
export const MOST_TRIES = 8;

const FIRST_SECONDS = 30;
const LONGEST_SECONDS = 6 * 3600;
/** Each is so many times as long as the one before. */
const GROWTH = 4;

/**
 * Up to a quarter longer than the plain delay, so that what failed together does not come back together.
 * @param tries how many there have been
 */
export function retrySeconds(tries: number): number {
  const plain = Math.min(FIRST_SECONDS * GROWTH ** (tries - 1), LONGEST_SECONDS);
  return plain + randomInt(Math.ceil(plain / 4) + 1);
}
