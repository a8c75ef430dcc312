/**
 * Lets work wait until a key is signalled in this process. The wait is limited, because the awaited change may happen in
 * another process.
 */
export class KeySignals {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Resolves when one of the keys is signalled, or after this many milliseconds. */
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

  /** Wakes the work that has waited longest for this key. */
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
