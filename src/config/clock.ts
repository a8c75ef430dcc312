/** The only source of time. Tests move it; nothing in the product calls `Date.now()` for a decision. */
export abstract class Clock {
  abstract now(): Date;
  /**
   * Milliseconds by which this clock runs ahead of the machine's. Zero in production. The database adds it to its own
   * time, which decides expiry, so that moving the clock in a test moves both.
   */
  abstract readonly skewMs: number;
}

export class SystemClock extends Clock {
  readonly skewMs = 0;

  now(): Date {
    return new Date();
  }
}
