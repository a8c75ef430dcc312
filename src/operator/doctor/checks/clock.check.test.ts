import { describe, expect, it } from '@jest/globals';
import type { Examination } from '../examination.js';
import { clockCheck } from './clock.check.js';

const START_MS = Date.UTC(2026, 10, 29, 12);

/** @param seconds time of the database when it was read, and when its inspection began and ended, on this machine */
async function examine({ time, startedAt, endedAt }: Record<'time' | 'startedAt' | 'endedAt', number>): Promise<string[]> {
  const toDate = (seconds: number): Date => new Date(START_MS + seconds * 1000);
  const times = { startedAt: toDate(startedAt), endedAt: toDate(endedAt) };
  const examination = {
    upstream: async () => ({ inspection: { serverTime: null }, ...times }),
    database: async () => ({ inspection: { state: 'open', time: toDate(time) }, ...times }),
    gateway: async () => ({ inspection: { publicProbe: { state: 'silent' } }, ...times }),
  } as unknown as Examination;
  return (await clockCheck.run(examination)).map(({ level, what }) => `${level}: ${what}`);
}

describe('the doctor about clocks', () => {
  it('reports no difference if a slow inspection read the clock at its beginning', async () => {
    expect(await examine({ time: 0, startedAt: 0, endedAt: 40 })).toEqual([
      "ok: The clock of the database agrees with this machine's.",
    ]);
  });

  it.each([
    [-6, "hint: The clock of the database is 6 s behind this machine's."],
    [-31, "fault: The clock of the database is 31 s behind this machine's."],
    [46, "hint: The clock of the database is 6 s ahead of this machine's."],
    [71, "fault: The clock of the database is 31 s ahead of this machine's."],
  ])('reports a clock that shows a time outside the inspection (%d s)', async (time, sentence) => {
    expect(await examine({ time, startedAt: 0, endedAt: 40 })).toEqual([sentence]);
  });
});
