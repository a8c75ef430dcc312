/** @returns the code of an error of the operating system, like `ENOENT` */
export function codeOf(error: unknown): string | undefined {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded && typeof error.code === 'string' ? error.code : undefined;
}

/** Of a failed fetch, which hides the system's own code one or two levels down. @returns a phrase */
export function networkReason(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'no reason given';
  const { name, cause, errors } = error as Partial<AggregateError>;
  if (name === 'TimeoutError') return 'no answer in time';
  const inner: unknown = cause ?? errors?.[0];
  return codeOf(error) ?? (inner === undefined ? (name ?? 'no reason given') : networkReason(inner));
}
