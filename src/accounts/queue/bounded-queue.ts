/**
 * A bounded queue in memory, first in first out. Work beyond the limit is refused at once, so that nobody waits without end. Preferred
 * work runs before all other waiting work and has places of its own, as many as other work, so that no flood of other work keeps it out.
 */
import PQueue from 'p-queue';

export class BoundedQueue {
  readonly #queue: PQueue;
  readonly #most: number;
  #inside = 0;
  #preferredInside = 0;

  /** @param limits how many run at once, and how many may wait */
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

  /** Whether `run` would refuse work now. */
  isFull({ isPreferred = false } = {}): boolean {
    const count = isPreferred ? this.#preferredInside : this.#inside - this.#preferredInside;
    return count >= this.#most;
  }

  /** @returns null if the queue is full, otherwise the result of the work */
  run<T>(work: () => Promise<T>, { isPreferred = false } = {}): Promise<T> | null {
    if (this.isFull({ isPreferred })) return null;
    this.#inside++;
    if (isPreferred) this.#preferredInside++;
    return this.#runInTurn(work, isPreferred);
  }

  async #runInTurn<T>(work: () => Promise<T>, isPreferred: boolean): Promise<T> {
    // The work starts here and not in the queue, because there it would run in the transaction and trace of the work that finished
    // before it.
    const end = await new Promise<() => void>((start) => {
      void this.#queue.add(() => new Promise<void>(start), { priority: isPreferred ? 1 : 0 });
    });
    try {
      return await work();
    } finally {
      this.#inside--;
      if (isPreferred) this.#preferredInside--;
      end();
    }
  }
}

export interface KeyedLimits {
  /** How many may wait for one key. */
  perKey: number;
  /** How many may wait in all. */
  inAll: number;
}

/** One queue for each key: work of the same key runs one at a time. */
export class KeyedQueue {
  readonly #queues = new Map<string, BoundedQueue>();
  #inside = 0;

  constructor(private readonly limits: KeyedLimits) {}

  get waiting(): number {
    return this.#inside - this.#queues.size;
  }

  /** Whether work of this key is running. */
  isBusy(key: string): boolean {
    return this.#queues.has(key);
  }

  /** @returns null if the queue is full */
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
