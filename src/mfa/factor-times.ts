import type { FactorEntryState } from '../contract/mfa-state.js';

export interface FactorTimes {
  createdAt: Date;
  /** Null if it has proven nothing since its set-up. */
  lastUsedAt: Date | null;
}

/** As pages and calls show them. */
export function shownTimes({ createdAt, lastUsedAt }: FactorTimes): Pick<FactorEntryState, 'created_at' | 'last_used_at'> {
  return { created_at: createdAt.toISOString(), last_used_at: lastUsedAt?.toISOString() ?? null };
}
