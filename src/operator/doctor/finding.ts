/**
 * The result of a check: one sentence about what was found and, unless all is well, one about how to fix it. It
 * contains no secrets.
 */
export type Level = 'ok' | 'hint' | 'fault';

export interface Finding {
  level: Level;
  what: string;
  /** Uses the names of this product's settings, and of the other product's settings if the fault is there. */
  fix?: string;
}

export const ok = (what: string): Finding => ({ level: 'ok', what });

/** Works as it is, or could not be checked. */
export const hint = (what: string, fix: string): Finding => ({ level: 'hint', what, fix });

/** People will notice it. */
export const fault = (what: string, fix: string): Finding => ({ level: 'fault', what, fix });

/** `1 person`, `2 people`. */
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
