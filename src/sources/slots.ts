/** Runs a limited number of jobs at once. The other jobs wait for a slot, so that no job ends sooner because of the limit. */
export class Slots {
  #free: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];

  constructor({ maxRunning, maxWaiting }: { maxRunning: number; maxWaiting: number }) {
    this.#free = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /** @throws RangeError if too many jobs wait */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#waitForSlot();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  async #waitForSlot(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (this.#waiting.length >= this.#maxWaiting) throw new RangeError('Too many jobs wait for a slot.');
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
