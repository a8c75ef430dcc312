/** An authenticator app for tests: calculates the codes of a seed, by the test's clock. */
import { generateSync } from 'otplib';
import type { Clock } from '../src/config/clock.js';

const STEP_SECONDS = 30;

export class TotpApp {
  /** @param seed base32, as shown at the set-up */
  constructor(
    private readonly seed: string,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** The current code, or one of an adjacent step: -1 is the previous one. */
  code(steps = 0): string {
    const epoch = Math.floor(this.clock.now().getTime() / 1000) + steps * STEP_SECONDS;
    return generateSync({ secret: this.seed, epoch });
  }

  /** Six digits that differ from all codes around the current time. */
  wrongCode(): string {
    const right = new Set([-3, -2, -1, 0, 1, 2, 3].map((steps) => this.code(steps)));
    const wrong = ['000000', '111111', '222222', '333333', '444444', '555555', '666666', '777777'].find(
      (code) => !right.has(code),
    );
    if (wrong === undefined) throw new Error('Eight codes and seven right ones: there is always one.');
    return wrong;
  }
}
