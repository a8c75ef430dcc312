/**
 * Lines of tries that cannot be admitted yet because others are still being looked at. Only the first of each line asks
 * the database, when another try ends or after a while (it may have ended in another process).
 */

export interface QueueLimits {
  /** Tries that may wait for one key. */
  perKey: number;
  /** Tries that may wait in all. */
  inAll: number;
}

export class BoundedQueue {
  readonly #lines = new Map<string, (() => void)[]>();
  readonly #sleepers = new Map<string, Set<() => void>>();
  #waiting = 0;

  constructor(private readonly limits: QueueLimits) {}

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs `work` when everybody who came before for this key is through with theirs.
   * @returns null when the line is full
   */
  async inTurn<T>(key: string, work: () => Promise<T>): Promise<T | null> {
    const line = this.#lines.get(key);
    if (line) {
      if (line.length >= this.limits.perKey || this.#waiting >= this.limits.inAll) return null;
      this.#waiting++;
      await new Promise<void>((resolve) => line.push(resolve));
      this.#waiting--;
    } else {
      this.#lines.set(key, []);
    }
    try {
      return await work();
    } finally {
      const next = this.#lines.get(key)?.shift();
      if (next) next();
      else this.#lines.delete(key);
    }
  }

  /** Ends when `nudge` is called for one of the keys, or after the time. */
  async sleep(keys: readonly string[], milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        for (const key of keys) this.#forget(key, wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      for (const key of keys) this.#sleepers.set(key, (this.#sleepers.get(key) ?? new Set()).add(wake));
    });
  }

  /** Wakes whoever has slept longest for this key. */
  nudge(key: string): void {
    const [first] = this.#sleepers.get(key) ?? [];
    first?.();
  }

  #forget(key: string, wake: () => void): void {
    const sleepers = this.#sleepers.get(key);
    sleepers?.delete(wake);
    if (sleepers?.size === 0) this.#sleepers.delete(key);
  }
}
