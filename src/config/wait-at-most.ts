/**
 * @returns the result of the work, or the fallback if the time passes first. The work then continues, but its result is not used.
 * @throws the error of the work if it fails first
 */
export async function waitAtMost<T, Fallback>(work: Promise<T>, milliseconds: number, fallback: Fallback): Promise<T | Fallback> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<Fallback>((resolve) => (timer = setTimeout(() => resolve(fallback), milliseconds)));
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
