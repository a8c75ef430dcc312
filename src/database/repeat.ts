import { isWorthRepeating } from './failures.js';
import { realPause } from './pause.js';

export interface RepeatOptions {
  tries: number;
  /** Pause before the next attempt, in milliseconds. @param attempt number of the failed attempt, from 1 */
  pauseMs: (attempt: number) => number;
}

/** Runs `work` again after a deadlock or a serialization failure. `work` must not change anything outside the database. */
export async function repeat<T>(work: () => Promise<T>, { tries, pauseMs }: RepeatOptions): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === tries || !isWorthRepeating(error)) throw error;
      await realPause(pauseMs(attempt));
    }
  }
}
