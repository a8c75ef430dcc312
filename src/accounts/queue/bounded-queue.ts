/**
 * Work that waits for its turn in memory, in the order in which it came. A queue has an end: what comes beyond it is refused
 * at once, so that somebody gets an answer instead of waiting for ever.
 */
import PQueue from 'p-queue';

export class BoundedQueue {
  readonly #queue: PQueue;
  readonly #most: number;
  #inside = 0;

  /** @param limits how much is done at once, and how much may wait behind it */
  constructor({ concurrency, mostWaiting }: { concurrency: number; mostWaiting: number }) {
    this.#queue = new PQueue({ concurrency });
    this.#most = concurrency + mostWaiting;
  }

  get running(): number {
    return this.#queue.pending;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  get isEmpty(): boolean {
    return this.#inside === 0;
  }

  /** @returns null when the queue is full; otherwise what becomes of the work */
  run<T>(work: () => Promise<T>): Promise<T> | null {
    if (this.#inside >= this.#most) return null;
    this.#inside++;
    return this.#inTurn(work);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    // Started here: the queue would start it in the transaction and the trace of whoever finished before.
    const end = await new Promise<() => void>((start) => {
      void this.#queue.add(() => new Promise<void>(start));
    });
    try {
      return await work();
    } finally {
      this.#inside--;
      end();
    }
  }
}

export interface KeyedLimits {
  /** Work that may wait for one key. */
  perKey: number;
  /** Work that may wait in all. */
  inAll: number;
}

/** One queue a key: of the same key one work at a time, others beside it. */
export class KeyedQueue {
  readonly #queues = new Map<string, BoundedQueue>();
  #inside = 0;

  constructor(private readonly limits: KeyedLimits) {}

  get waiting(): number {
    return this.#inside - this.#queues.size;
  }

  /** @returns null when the queue is full */
  async run<T>(key: string, work: () => Promise<T>): Promise<T | null> {
    const { perKey, inAll } = this.limits;
    const queue = this.#queues.get(key) ?? new BoundedQueue({ concurrency: 1, mostWaiting: perKey });
    if (!queue.isEmpty && this.waiting >= inAll) return null;
    const done = queue.run(work);
    if (!done) return null;
    this.#queues.set(key, queue);
    this.#inside++;
    try {
      return await done;
    } finally {
      this.#inside--;
      if (queue.isEmpty) this.#queues.delete(key);
    }
  }
}
