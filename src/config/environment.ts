/**
 * The only code that reads `process.env`, for the code that starts a process. Other code receives a `Config`, or the environment as
 * a parameter.
 */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Injection token of the environment with which the process was started, for the code that shows operators their settings. */
export const ENVIRONMENT = Symbol('Environment');

/** The default of libuv. */
const POOL_THREADS = 4;

/** Number of threads in libuv's pool, which reads this variable itself. Its value is not a setting of Foyer, so it is not validated. */
export function countPoolThreads(): number {
  const size = environment()['UV_THREADPOOL_SIZE'];
  return size === undefined ? POOL_THREADS : Number.parseInt(size, 10) || 1;
}
