/**
 * The only code that reads `process.env`, for the code that starts a process. Other code receives a `Config`, or the environment as
 * a parameter.
 */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Injection token of the environment with which the process was started, for the code that shows operators their settings. */
export const ENVIRONMENT = Symbol('Environment');
