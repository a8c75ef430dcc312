/** What a check says: one sentence on what it found, and, unless all is well, one on how to fix it. None holds a secret. */
export type Level = 'ok' | 'hint' | 'fault';

export interface Finding {
  level: Level;
  what: string;
  /** In the words of this product's settings, and of the other product's where the fault is there. */
  fix?: string;
}

export const ok = (what: string): Finding => ({ level: 'ok', what });

/** Works as it is, or could not be looked at. */
export const hint = (what: string, fix: string): Finding => ({ level: 'hint', what, fix });

/** People will meet it. */
export const fault = (what: string, fix: string): Finding => ({ level: 'fault', what, fix });
