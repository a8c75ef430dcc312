/** An authenticator app for tests: makes the codes of a seed, by the test's clock. */
import { generateSync } from 'otplib';
import type { Clock } from '../src/config/clock.js';

const STEP_SECONDS = 30;

export class TotpApp {
  /** @param seed base32, as a set-up shows it */
  constructor(
    private readonly seed: string,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** The code of this moment, or of a step beside it: -1 is the one before. */
  code(steps = 0): string {
    const epoch = Math.floor(this.clock.now().getTime() / 1000) + steps * STEP_SECONDS;
    return generateSync({ secret: this.seed, epoch });
  }

  /** Six digits that are none of the codes around this moment. */
  wrongCode(): string {
    const right = new Set([-3, -2, -1, 0, 1, 2, 3].map((steps) => this.code(steps)));
    const wrong = ['000000', '111111', '222222', '333333', '444444', '555555', '666666', '777777'].find(
      (code) => !right.has(code),
    );
    if (wrong === undefined) throw new Error('Eight codes and seven right ones: there is always one.');
    return wrong;
  }
}
