/** A clock that tests move. The database follows it through `skewMs`, so that expiry moves too. */
import { Clock } from '../../src/config/clock.js';

export class TestClock extends Clock {
  #skewMs = 0;

  override get skewMs(): number {
    return this.#skewMs;
  }

  now(): Date {
    return new Date(Date.now() + this.#skewMs);
  }

  advanceSeconds(seconds: number): void {
    this.#skewMs += seconds * 1000;
  }
}
