/**
 * Bounded queues in memory, first in first out: one for all work, and one for each key. Work beyond the limit is refused immediately, so
 * that no work waits forever. In `BoundedQueue`, preferred work runs before all other waiting work and has a separate limit of the same
 * size, so that a flood of other work cannot displace it.
 */
import PQueue from 'p-queue';

export class BoundedQueue {
  readonly #queue: PQueue;
  readonly #maxAdmitted: number;
  #admittedCount = 0;
  #preferredCount = 0;

  /**
   * @param limits how much work runs at the same time, and how much may wait besides. Their sum is the limit for preferred work
   * and, separately, for other work
   */
  constructor({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }) {
    this.#queue = new PQueue({ concurrency });
    this.#maxAdmitted = concurrency + maxWaiting;
  }

  get runningCount(): number {
    return this.#queue.pending;
  }

  get waitingCount(): number {
    return this.#queue.size;
  }

  get isEmpty(): boolean {
    return this.#admittedCount === 0;
  }

  /** Whether `run` would refuse work now. */
  isFull({ isPreferred = false } = {}): boolean {
    const count = isPreferred ? this.#preferredCount : this.#admittedCount - this.#preferredCount;
    return count >= this.#maxAdmitted;
  }

  /** @returns null if the queue is full, otherwise the result of the work */
  run<T>(work: () => Promise<T>, { isPreferred = false } = {}): Promise<T> | null {
    if (this.isFull({ isPreferred })) return null;
    this.#admittedCount++;
    if (isPreferred) this.#preferredCount++;
    return this.#runInTurn(work, isPreferred);
  }

  async #runInTurn<T>(work: () => Promise<T>, isPreferred: boolean): Promise<T> {
    // This method starts the work, because in the queue the work would run in the transaction and trace of the work that finished
    // before it.
    const end = await new Promise<() => void>((start) => {
      void this.#queue.add(() => new Promise<void>(start), { priority: isPreferred ? 1 : 0 });
    });
    try {
      return await work();
    } finally {
      this.#admittedCount--;
      if (isPreferred) this.#preferredCount--;
      end();
    }
  }
}

export interface KeyedLimits {
  /** How much work may wait for one key. */
  perKey: number;
  /** How much work may wait for all keys together. */
  total: number;
}

/** One queue for each key. Work of the same key runs in sequence. */
export class KeyedQueue {
  readonly #queues = new Map<string, BoundedQueue>();
  #admittedCount = 0;

  constructor(private readonly limits: KeyedLimits) {}

  get waitingCount(): number {
    return this.#admittedCount - this.#queues.size;
  }

  /** Whether work of this key is running. */
  isBusy(key: string): boolean {
    return this.#queues.has(key);
  }

  /** @returns null if the queue of the key is full or too much work waits for all keys together, otherwise the result of the work */
  async run<T>(key: string, work: () => Promise<T>): Promise<T | null> {
    const { perKey, total } = this.limits;
    const queue = this.#queues.get(key) ?? new BoundedQueue({ concurrency: 1, maxWaiting: perKey });
    if (!queue.isEmpty && this.waitingCount >= total) return null;
    const result = queue.run(work);
    if (!result) return null;
    this.#queues.set(key, queue);
    this.#admittedCount++;
    try {
      return await result;
    } finally {
      this.#admittedCount--;
      if (queue.isEmpty) this.#queues.delete(key);
    }
  }
}
