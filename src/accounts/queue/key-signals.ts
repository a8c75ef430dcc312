/**
 * Lets work wait until a key is signalled in this process. The wait is limited, because the awaited change may happen in
 * another process.
 */
export class KeySignals {
  readonly #wakeCallbacks = new Map<string, Set<() => void>>();

  /** Resolves when `signal` wakes this work for one of the keys, or after this many milliseconds. */
  async wait(keys: readonly string[], milliseconds: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        for (const key of keys) this.#forget(key, wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      for (const key of keys) this.#wakeCallbacks.set(key, (this.#wakeCallbacks.get(key) ?? new Set()).add(wake));
    });
  }

  /** Wakes the work that has waited longest for this key. */
  signal(key: string): void {
    const [wakeFirst] = this.#wakeCallbacks.get(key) ?? [];
    wakeFirst?.();
  }

  #forget(key: string, wake: () => void): void {
    const callbacks = this.#wakeCallbacks.get(key);
    callbacks?.delete(wake);
    if (callbacks?.size === 0) this.#wakeCallbacks.delete(key);
  }
}
