/**
 * The result of a check: a text that describes the state and, unless the state is good, a text that describes what to do.
 * Findings contain no secrets.
 */
export type Level = 'ok' | 'hint' | 'fault';

export interface Finding {
  level: Level;
  what: string;
  /** What to do. Names the settings to change, if any: settings of Foyer, or of another product if the fault is there. */
  fix?: string;
}

export const ok = (what: string): Finding => ({ level: 'ok', what });

/** Something works but could be better, or could not be checked. */
export const hint = (what: string, fix: string): Finding => ({ level: 'hint', what, fix });

/** Something fails in a way that people or attackers will notice. */
export const fault = (what: string, fix: string): Finding => ({ level: 'fault', what, fix });

/** `1 person`, `2 people`. */
export const formatCount = (count: number, singular: string, plural: string): string =>
  `${count} ${count === 1 ? singular : plural}`;
