/** The only code that reads the environment of the process. All other code receives a `Config`, or the environment as a parameter. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Injection token of the environment with which the process was started, for the code that shows operators their settings. */
export const ENVIRONMENT = Symbol('Environment');
