/** Frequent periods of the audit log, in the time zone of the operator. */
import { fromLocalField, toLocalField } from './local-times.js';

export const PERIODS = ['today', 'last_7_days', 'last_30_days', 'this_month', 'last_month'] as const;
export type PeriodName = (typeof PERIODS)[number];

/** Both times are in UTC, in the format of the filters. */
export interface Period {
  since: string | undefined;
  /** Undefined for a period that has not ended. */
  until: string | undefined;
}

/** @param now the time to which the period is relative */
export function toPeriod(name: PeriodName, now: Date): Period {
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const starts: Readonly<Record<PeriodName, Date>> = {
    today: new Date(year, month, day),
    last_7_days: new Date(year, month, day - 6),
    last_30_days: new Date(year, month, day - 29),
    this_month: new Date(year, month, 1),
    last_month: new Date(year, month - 1, 1),
  };
  return { since: toUtc(starts[name]), until: name === 'last_month' ? toUtc(starts.this_month) : undefined };
}

/** @returns the first period with these two times, because on some days two periods are the same; undefined if there is none */
export function findPeriod({ since, until }: Partial<Period>, now: Date): PeriodName | undefined {
  return PERIODS.find((name) => {
    const period = toPeriod(name, now);
    return period.since === since && period.until === until;
  });
}

const toUtc = (local: Date): string | undefined => fromLocalField(toLocalField(local.toISOString()));
