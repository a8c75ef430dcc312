/** Too many jobs wait for a slot. */
export class SlotsFull extends Error {}

/** Runs a limited number of jobs at once. Up to `maxWaiting` other jobs wait for a slot; further jobs are refused. */
export class Slots {
  #freeSlots: number;
  readonly #maxWaiting: number;
  /** Each function starts a waiting job; the job that has waited longest is the first. */
  readonly #startFunctions: (() => void)[] = [];

  constructor({ maxRunning, maxWaiting }: { maxRunning: number; maxWaiting: number }) {
    this.#freeSlots = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /** @throws SlotsFull */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#waitForSlot();
    try {
      return await work();
    } finally {
      const startNextJob = this.#startFunctions.shift();
      if (startNextJob) startNextJob();
      else this.#freeSlots += 1;
    }
  }

  async #waitForSlot(): Promise<void> {
    if (this.#freeSlots > 0) {
      this.#freeSlots -= 1;
      return;
    }
    if (this.#startFunctions.length >= this.#maxWaiting) throw new SlotsFull('Too many jobs wait for a slot.');
    await new Promise<void>((resolve) => this.#startFunctions.push(resolve));
  }
}
