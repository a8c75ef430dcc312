/** Lets a few things run at once; the others wait for their turn, so that each takes as long as it would alone, or longer. */
export class Slots {
  #free: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];

  constructor({ atOnce, waiting }: { atOnce: number; waiting: number }) {
    this.#free = atOnce;
    this.#mostWaiting = waiting;
  }

  /** @throws RangeError if too many wait */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  async #turn(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (this.#waiting.length >= this.#mostWaiting) throw new RangeError('Too many wait for a slot.');
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
