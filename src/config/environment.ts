/** The only place that reads the environment of the process. All other code receives a `Config`. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
