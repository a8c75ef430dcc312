import { describe, expect, it } from '@jest/globals';
import { formatRecentTime } from './dates.js';

const NOW = '2026-11-23T09:00:00.000Z';

describe('formatRecentTime', () => {
  it.each([
    ['2026-11-23T08:05:00.000Z', 'en-GB', 'Today 08:05\u00a0UTC'],
    ['2026-11-22T23:59:00.000Z', 'en-GB', 'Yesterday 23:59\u00a0UTC'],
    ['2026-11-21T23:59:00.000Z', 'en-GB', '21\u00a0November at 23:59\u00a0UTC'],
    // The clocks of two computers differ, so a time may be in the future.
    ['2026-11-24T00:01:00.000Z', 'en-GB', '24\u00a0November at 00:01\u00a0UTC'],
    ['2026-11-23T08:05:00.000Z', 'de', 'Heute 08:05\u00a0UTC'],
    ['2026-11-23T08:05:00.000Z', 'fr', 'Aujourd’hui 08:05\u00a0UTC'],
    ['2026-11-22T08:05:00.000Z', 'nl', 'Gisteren 08:05\u00a0UTC'],
  ])('formats %s in %s as "%s"', (moment, languageTag, text) => {
    expect(formatRecentTime({ iso: moment, now: NOW }, languageTag, 'UTC')).toBe(text);
  });
});
