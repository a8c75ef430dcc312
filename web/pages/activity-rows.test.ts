import { describe, expect, it } from '@jest/globals';
import type { ActivityState } from '../../src/contract/manage-data-state.js';
import { toActivityRows } from './activity-rows.js';

let id = 0;
const buildEntry = (time: string, more: Partial<ActivityState> = {}): ActivityState => ({
  id: String((id += 1)),
  activity: 'password-wrong',
  at: `2026-11-23T${time}:00.000Z`,
  ...more,
});

describe('the rows of the activity', () => {
  it('[ACT-1] count equal events in succession that are at most an hour apart', () => {
    const rows = toActivityRows([
      buildEntry('09:05'),
      buildEntry('09:03'),
      buildEntry('09:01'),
      buildEntry('09:00', { activity: 'signed-in' }),
      buildEntry('08:59'),
      buildEntry('08:58', { browser: 'Firefox, Windows' }),
      buildEntry('07:00', { browser: 'Firefox, Windows' }),
    ]);
    expect(rows.map(({ count, entry, since }) => [count, entry.at.slice(11, 16), since.slice(11, 16)])).toEqual([
      [3, '09:05', '09:01'],
      [1, '09:00', '09:00'],
      [1, '08:59', '08:59'],
      [1, '08:58', '08:58'],
      [1, '07:00', '07:00'],
    ]);
  });

  it('[ACT-1] name a network only if it differs from the nearest network above; the first one is compared with the current network', () => {
    const thisNetwork = { network: '203.0.113.x', is_this_network: true } as const;
    const rows = toActivityRows([
      buildEntry('09:06', thisNetwork),
      buildEntry('09:05', { by_operator: true }),
      buildEntry('09:04', { ...thisNetwork, browser: 'Chrome, Android' }),
      buildEntry('09:03', { network: '198.51.100.x' }),
      buildEntry('09:02', { network: '198.51.100.x', browser: 'Chrome, Android' }),
      buildEntry('09:01', thisNetwork),
    ]);
    expect(rows.map(({ network }) => network)).toEqual([
      undefined,
      undefined,
      undefined,
      '198.51.100.x',
      undefined,
      '203.0.113.x',
    ]);
  });
});
