/** The only source of time for decisions; product code never uses `Date.now()` for them. Tests can move this clock. */
export abstract class Clock {
  abstract now(): Date;
  /**
   * Milliseconds by which this clock is ahead of the machine's clock; zero in production. The database adds this offset to its
   * own time, which determines expiry, so that both clocks move together in a test.
   */
  abstract readonly skewMs: number;
}

export class SystemClock extends Clock {
  readonly skewMs = 0;

  now(): Date {
    return new Date();
  }
}
