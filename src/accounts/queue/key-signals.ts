/** Wakes what waits until something happens to a key in this process, or for some time, since it may happen in another one. */
export class KeySignals {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Ends when `signal` is called for one of the keys, or after the time. */
  async wait(keys: readonly string[], milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        for (const key of keys) this.#forget(key, wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      for (const key of keys) this.#waiting.set(key, (this.#waiting.get(key) ?? new Set()).add(wake));
    });
  }

  /** Wakes the one that has waited longest for this key. */
  signal(key: string): void {
    const [first] = this.#waiting.get(key) ?? [];
    first?.();
  }

  #forget(key: string, wake: () => void): void {
    const waiting = this.#waiting.get(key);
    waiting?.delete(wake);
    if (waiting?.size === 0) this.#waiting.delete(key);
  }
}
