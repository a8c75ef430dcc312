import type { FactorEntryState } from '../contract/mfa-state.js';

export interface FactorTimes {
  createdAt: Date;
  /** Null if the factor has not been used since its set-up. */
  lastUsedAt: Date | null;
}

/** @returns the times as pages and calls show them */
export function toTimesState({ createdAt, lastUsedAt }: FactorTimes): Pick<FactorEntryState, 'created_at' | 'last_used_at'> {
  return { created_at: createdAt.toISOString(), last_used_at: lastUsedAt?.toISOString() ?? null };
}
