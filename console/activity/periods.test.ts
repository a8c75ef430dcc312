import { describe, expect, it } from '@jest/globals';
import { toLocalField } from './local-times.js';
import { findPeriod, PERIODS, toPeriod, type PeriodName } from './periods.js';

const NOW = new Date(2026, 0, 5, 14, 30);

function toLocalTimes(name: PeriodName): string[] {
  const { since, until } = toPeriod(name, NOW);
  return [toLocalField(since), toLocalField(until)];
}

describe('periods', () => {
  it('begin at midnight in the time zone of the operator, also in the year before', () => {
    expect(toLocalTimes('today')).toEqual(['2026-01-05T00:00', '']);
    expect(toLocalTimes('last_7_days')).toEqual(['2025-12-30T00:00', '']);
    expect(toLocalTimes('last_30_days')).toEqual(['2025-12-07T00:00', '']);
    expect(toLocalTimes('this_month')).toEqual(['2026-01-01T00:00', '']);
    expect(toLocalTimes('last_month')).toEqual(['2025-12-01T00:00', '2026-01-01T00:00']);
  });

  it('are found again by their times, and other times are not', () => {
    expect(PERIODS.map((name) => findPeriod(toPeriod(name, NOW), NOW))).toEqual(PERIODS);
    expect(findPeriod({ since: '2026-01-02T03:04Z', until: undefined }, NOW)).toBeUndefined();
    expect(findPeriod({}, NOW)).toBeUndefined();
  });
});
