/** The only place that reads the environment of the process. All other code receives a `Config`. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Injection token of the environment with which the process was started, for the code that shows operators their settings. */
export const ENVIRONMENT = Symbol('Environment');
