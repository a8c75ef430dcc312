/** What a check says: one sentence on what it found, and, unless all is well, one on how to mend it. None holds a secret. */
export type Level = 'ok' | 'hint' | 'fault';

export interface Finding {
  level: Level;
  what: string;
  /** In the words of this product's settings, and of the other product's where the fault is there. */
  mend?: string;
}

export const ok = (what: string): Finding => ({ level: 'ok', what });

/** Works as it is, or could not be looked at. */
export const hint = (what: string, mend: string): Finding => ({ level: 'hint', what, mend });

/** People will meet it. */
export const fault = (what: string, mend: string): Finding => ({ level: 'fault', what, mend });
