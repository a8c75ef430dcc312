/** Reads a value that may be slow or may fail, without blocking the reader: one read at a time, cached for some seconds. */

const CACHE_MS = 5000;
const TIMEOUT_MS = 1500;

/** @returns a function that gives the value, or null if reading fails or takes too long */
export function cacheReading<T>(read: () => T | null | Promise<T | null>, timeoutMs = TIMEOUT_MS): () => Promise<T | null> {
  let reading: Promise<T | null> | undefined;
  let kept: { value: T | null; at: number } | undefined;
  const begin = async (): Promise<T | null> => {
    const value = await Promise.resolve()
      .then(read)
      .catch(() => null);
    kept = { value, at: performance.now() };
    reading = undefined;
    return value;
  };
  return () => {
    if (kept && performance.now() - kept.at < CACHE_MS) return Promise.resolve(kept.value);
    // All readers share one read, so a read that hangs is not started again.
    reading ??= begin();
    return limitTime(reading, timeoutMs);
  };
}

async function limitTime<T>(work: Promise<T | null>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), ms)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
