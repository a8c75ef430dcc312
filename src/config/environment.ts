/** The process's environment: the one place that touches it. Everything else gets a `Config`. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
