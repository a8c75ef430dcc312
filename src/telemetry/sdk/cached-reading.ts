/** Reads a value whose read may be slow or fail: one read at a time, with a limited wait, and the result cached for a few seconds. */
import { waitAtMost } from '../../config/wait-at-most.js';

const CACHE_MS = 5000;
const TIMEOUT_MS = 1500;

/** @returns a function that returns the value, or null if the read fails or takes too long */
export function cacheReading<T>(read: () => T | null | Promise<T | null>, timeoutMs = TIMEOUT_MS): () => Promise<T | null> {
  let pendingRead: Promise<T | null> | undefined;
  let lastResult: { value: T | null; at: number } | undefined;
  const startRead = async (): Promise<T | null> => {
    const value = await Promise.resolve()
      .then(read)
      .catch(() => null);
    lastResult = { value, at: performance.now() };
    pendingRead = undefined;
    return value;
  };
  return () => {
    if (lastResult && performance.now() - lastResult.at < CACHE_MS) return Promise.resolve(lastResult.value);
    // All readers share one read, so a read that hangs is not started again.
    pendingRead ??= startRead();
    return waitAtMost(pendingRead, timeoutMs, null);
  };
}
