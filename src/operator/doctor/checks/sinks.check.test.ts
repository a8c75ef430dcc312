import { describe, expect, it } from '@jest/globals';
import type { InspectedSink } from '../../../database/inspection/inspect-database.js';
import { checkSinks } from './sinks.check.js';

const BEGIN_TIME = new Date('2026-11-28T09:30:00.000Z');
const HEALTHY_SINK: InspectedSink = {
  name: 'crm',
  pausedAt: null,
  failingSince: null,
  lastStatus: '204',
  waitingSeconds: null,
  deadCount: 0,
  aheadSeconds: -5,
};

const examine = (changes: Partial<InspectedSink>, names = ['crm']) =>
  checkSinks(
    names.map((name) => ({ name })),
    [{ ...HEALTHY_SINK, ...changes }],
  ).map(({ level, what }) => `${level}: ${what}`);

describe('the doctor about an event sink', () => {
  it.each<[string, Partial<InspectedSink>, string]>([
    ['accepts events', {}, 'ok: The event sink crm accepts events (last answer: 204).'],
    ['is new', { lastStatus: null }, 'ok: The event sink crm has not received an event yet.'],
    ['has events for a short time', { waitingSeconds: 60 }, 'ok: The event sink crm accepts events (last answer: 204).'],
    [
      'is paused',
      { pausedAt: BEGIN_TIME, waitingSeconds: 9999 },
      'hint: The event sink crm has been paused since 2026-11-28T09:30Z',
    ],
    [
      'fails',
      { failingSince: BEGIN_TIME, lastStatus: '500' },
      'fault: The event sink crm has failed since 2026-11-28T09:30Z (last answer: 500)',
    ],
    ['is late', { waitingSeconds: 1000 }, 'hint: An event has waited for the sink crm for 16 minutes.'],
    ['has given up on one event', { deadCount: 1 }, 'hint: 1 event for the sink crm was given up after three days.'],
    [
      'has given up on many events',
      { deadCount: 1001 },
      'hint: More than 1000 events for the sink crm were given up after three days.',
    ],
  ])('that %s', (_, changes, sentence) => expect(examine(changes)).toEqual([expect.stringContaining(sentence)]));

  it('that is only in the settings, or no longer in the settings', () => {
    expect(checkSinks([{ name: 'crm' }], [])).toMatchObject([{ level: 'hint', what: expect.stringContaining('No gateway') }]);
    expect(examine({}, [])).toEqual([]);
    expect(examine({ waitingSeconds: 5 }, [])).toEqual([expect.stringMatching(/^hint: Events wait for the sink crm, which/)]);
    expect(checkSinks([], [])).toEqual([]);
  });

  it('with a time that is ahead of the clock', () => {
    expect(examine({ aheadSeconds: 3600 })).toEqual([
      expect.stringMatching(/^ok/),
      expect.stringMatching(/^fault: The clock of the database was set back by at least 60 minutes/),
    ]);
  });
});
