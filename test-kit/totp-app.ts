/** An authenticator app for tests. It calculates the codes of a secret from the clock of the test. */
import { generateSync } from 'otplib';
import type { Clock } from '../src/config/clock.js';

const STEP_SECONDS = 30;

export class TotpApp {
  /** @param seed the secret in base32, as shown during the set-up */
  constructor(
    private readonly seed: string,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** @param steps 0 for the current code, -1 for the previous code, 1 for the next code */
  code(steps = 0): string {
    const epoch = Math.floor(this.clock.now().getTime() / 1000) + steps * STEP_SECONDS;
    return generateSync({ secret: this.seed, epoch });
  }

  /** @returns six digits that differ from all codes around the current time */
  wrongCode(): string {
    const validCodes = new Set([-3, -2, -1, 0, 1, 2, 3].map((steps) => this.code(steps)));
    const wrongCode = ['000000', '111111', '222222', '333333', '444444', '555555', '666666', '777777'].find(
      (code) => !validCodes.has(code),
    );
    if (wrongCode === undefined) throw new Error('All eight candidates are valid codes, which is impossible.');
    return wrongCode;
  }
}
