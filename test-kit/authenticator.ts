/** A person's authenticator app. Foyer takes each code once, so that two sign-ins in one half minute need two codes. */
import { randomInt } from 'node:crypto';
import type { Clock } from '../src/config/clock.js';
import { TotpApp } from './totp-app.js';

const STEP_MS = 30_000;
/** Codes that Foyer takes before their time, by default. */
const STEPS_AHEAD = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const SEED_CHARACTERS = 32;

export interface Time extends Pick<Clock, 'now'> {
  /** Lets so much time go by: at once where a clock can be moved. */
  pass(milliseconds: number): Promise<void>;
}

export class Authenticator {
  readonly #app: TotpApp;
  #lastStep = 0;

  /** @param seed base32 */
  constructor(
    readonly seed: string,
    private readonly time: Time,
  ) {
    this.#app = new TotpApp(seed, time);
  }

  static draw(time: Time): Authenticator {
    const seed = Array.from({ length: SEED_CHARACTERS }, () => BASE32[randomInt(BASE32.length)]).join('');
    return new Authenticator(seed, time);
  }

  /** What the app shows now. */
  code(): string {
    return this.#app.code();
  }

  /** Six digits that are wrong now. */
  wrongCode(): string {
    return this.#app.wrongCode();
  }

  /** A code that this method has not given before; lets time go by when there is none yet. */
  async freshCode(): Promise<string> {
    const step = Math.max(this.#lastStep + 1, this.#step());
    const early = step - this.#step() - STEPS_AHEAD;
    if (early > 0) await this.time.pass(early * STEP_MS);
    this.#lastStep = step;
    return this.#app.code(step - this.#step());
  }

  #step(): number {
    return Math.floor(this.time.now().getTime() / STEP_MS);
  }
}
