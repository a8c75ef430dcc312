import { isWorthRepeating } from './failures.js';
import { realPause } from './pause.js';

export interface Repeating {
  tries: number;
  /** Before the next attempt, in milliseconds. @param attempt the one that failed, from 1 on */
  pauseMs: (attempt: number) => number;
}

/** Runs again what a deadlock or a serialization failure took back; `work` must change nothing outside the database. */
export async function repeating<T>(work: () => Promise<T>, { tries, pauseMs }: Repeating): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === tries || !isWorthRepeating(error)) throw error;
      await realPause(pauseMs(attempt));
    }
  }
}
