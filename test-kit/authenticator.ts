/** A person's authenticator app. Foyer accepts each code only once, so two sign-ins within 30 seconds need different codes. */
import { randomInt } from 'node:crypto';
import type { Clock } from '../src/config/clock.js';
import { TotpApp } from './totp-app.js';

const STEP_MS = 30_000;
/** The number of future time steps that Foyer accepts by default. */
const STEPS_AHEAD = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const SEED_CHARACTERS = 32;

export interface Time extends Pick<Clock, 'now'> {
  /** Waits, or moves the clock if it can be moved. */
  pass(milliseconds: number): Promise<void>;
}

export class Authenticator {
  readonly #app: TotpApp;
  #lastStep = 0;
  #previousCode: Promise<unknown> = Promise.resolve();

  /** @param seed base32 */
  constructor(
    readonly seed: string,
    private readonly time: Time,
  ) {
    this.#app = new TotpApp(seed, time);
  }

  static createRandom(time: Time): Authenticator {
    const seed = Array.from({ length: SEED_CHARACTERS }, () => BASE32[randomInt(BASE32.length)]).join('');
    return new Authenticator(seed, time);
  }

  /** @returns the current code */
  code(): string {
    return this.#app.code();
  }

  /** @returns six digits that are not a valid code now */
  wrongCode(): string {
    return this.#app.wrongCode();
  }

  /** @returns a code that this method has not returned before; waits for the next time step if necessary */
  freshCode(): Promise<string> {
    const code = this.#previousCode.then(() => this.#makeFreshCode());
    this.#previousCode = code.catch(() => undefined);
    return code;
  }

  async #makeFreshCode(): Promise<string> {
    const step = Math.max(this.#lastStep + 1, this.#step());
    const stepsToWait = step - this.#step() - STEPS_AHEAD;
    if (stepsToWait > 0) await this.time.pass(stepsToWait * STEP_MS);
    this.#lastStep = step;
    return this.#app.code(step - this.#step());
  }

  #step(): number {
    return Math.floor(this.time.now().getTime() / STEP_MS);
  }
}
