/** A clock that tests move. `skewMs` also moves the database's time, so that stored values expire by the same clock. */
import { Clock } from '../src/config/clock.js';

export interface Duration {
  days?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
}

export class MovableClock extends Clock {
  #skewMs = 0;

  override get skewMs(): number {
    return this.#skewMs;
  }

  now(): Date {
    return new Date(Date.now() + this.#skewMs);
  }

  advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }: Duration): void {
    this.advanceSeconds(((days * 24 + hours) * 60 + minutes) * 60 + seconds);
  }

  advanceSeconds(seconds: number): void {
    this.#skewMs += seconds * 1000;
  }
}
