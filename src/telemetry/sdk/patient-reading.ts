/** Reads what may be slow or broken, for those who must not wait: one reading at a time, kept for a moment. */

const KEPT_MS = 5000;
const PATIENCE_MS = 1500;

/** @returns null while there is no value, because reading fails or takes too long */
export function patientReading<T>(read: () => T | null | Promise<T | null>, patienceMs = PATIENCE_MS): () => Promise<T | null> {
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
    if (kept && performance.now() - kept.at < KEPT_MS) return Promise.resolve(kept.value);
    // One that hangs is waited for by all and never begun twice.
    reading ??= begin();
    return within(reading, patienceMs);
  };
}

async function within<T>(work: Promise<T | null>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), ms)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
