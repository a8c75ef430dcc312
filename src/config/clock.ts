/** The only source of time. Tests can move it; product code never calls `Date.now()` to make a decision. */
export abstract class Clock {
  abstract now(): Date;
  /**
   * Milliseconds by which this clock is ahead of the machine's clock; zero in production. The database adds it to its
   * own time, which decides expiry, so both move together in a test.
   */
  abstract readonly skewMs: number;
}

export class SystemClock extends Clock {
  readonly skewMs = 0;

  now(): Date {
    return new Date();
  }
}
