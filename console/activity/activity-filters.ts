/** The filters of the audit log, as the address contains them. An address may be typed by hand, so invalid values are ignored. */

export interface ActivityFilters {
  /** A kind, or the part of a kind before the dot, which finds all kinds with the same part. */
  kind?: string | undefined;
  actor?: string | undefined;
  account?: string | undefined;
  /** The id of an app at Hydra. */
  client?: string | undefined;
  /** The id of a request, which an error page shows. */
  request?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  cursor?: string | undefined;
}

/** The values that the server accepts; all others are left out. */
const PATTERNS: Readonly<Record<keyof ActivityFilters, RegExp>> = {
  kind: /^[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)?$/,
  actor: /^(person|operator(:[\p{L}\p{Nd}._@+-]{1,64})?|system)$/u,
  account: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  client: /^[^]{1,255}$/,
  request: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  since: /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/,
  until: /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/,
  cursor: /^\d{1,15}$/,
};

/** @param text such as `operator:olga.operator` */
export const isActor = (text: string): boolean => PATTERNS.actor.test(text);

/** @param parameters the parameters of the address */
export function readActivityFilters(parameters: Readonly<Record<string, unknown>>): ActivityFilters {
  const entries = Object.entries(PATTERNS).flatMap(([name, pattern]) => {
    const value = parameters[name];
    return typeof value === 'string' && pattern.test(value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(entries);
}
