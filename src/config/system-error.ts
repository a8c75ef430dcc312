/** @returns the code of an operating system error, such as `ENOENT`; undefined for an error without one */
export function toCode(error: unknown): string | undefined {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether `AbortSignal.timeout` ended a fetch. The name is compared, because the error is a DOMException. */
export function isTimeOut(error: unknown): boolean {
  return typeof error === 'object' && error !== null && (error as Partial<Error>).name === 'TimeoutError';
}

/** Explains a failed fetch, whose system error code is nested one or two levels deep. @returns a phrase */
export function explainNetworkError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'no reason given';
  const { name, cause, errors } = error as Partial<AggregateError>;
  if (isTimeOut(error)) return 'no answer in time';
  const innerError: unknown = cause ?? errors?.[0];
  return toCode(error) ?? (innerError === undefined ? (name ?? 'no reason given') : explainNetworkError(innerError));
}
