/** The only place that reads the environment of the process. All other code receives a `Config`. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** The environment with which the process was started, for what shows operators their settings. */
export const ENVIRONMENT = Symbol('Environment');
