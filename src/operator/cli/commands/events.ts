/**
 * Lists the event sinks and their deliveries, pauses and resumes sinks, and sends events to a sink again, also events that were
 * recorded while the sink was not configured.
 */
import { buildUsageFailure } from '../cli-failure.js';
import { formatTime } from '../account-text.js';
import type { Command } from '../command.js';
import { REASON_OPTION } from '../reason-option.js';
import { sanitize } from '../shown-text.js';
import { formatTable, type Column } from '../table.js';
import type { DeliveryAnswer, SinkAnswer } from '../../wire-sinks.js';

/** The server stops counting above this number. */
const MAX_COUNT = 1000;

const formatCount = (count: number): string => (count > MAX_COUNT ? '>1000' : String(count));
const formatOptionalTime = (time: string | null): string => (time === null ? '' : formatTime(time));

const SINK_COLUMNS: readonly Column<SinkAnswer>[] = [
  { title: 'SINK', value: ({ name }) => name, whole: true },
  { title: 'STATE', value: ({ state }) => state, whole: true, mark: ({ state }) => (state === 'ok' ? undefined : 'bad') },
  { title: 'WAITING', value: ({ waiting }) => formatCount(waiting), whole: true },
  { title: 'SINCE', value: ({ waiting_since: time }) => formatOptionalTime(time), whole: true },
  { title: 'DEAD', value: ({ dead }) => formatCount(dead), whole: true, mark: ({ dead }) => (dead > 0 ? 'bad' : undefined) },
  { title: 'LAST TRY', value: ({ last_at: time }) => formatOptionalTime(time), whole: true },
  { title: 'STATUS', value: ({ last_status: status }) => status ?? '', whole: true },
  { title: 'KIND', value: ({ kind }) => kind ?? '' },
  { title: 'HOST', value: ({ host }) => host ?? '' },
  { title: 'EVENTS', value: ({ events }) => events.join(' ') },
];

const DELIVERY_COLUMNS: readonly Column<DeliveryAnswer>[] = [
  { title: 'EVENT', value: ({ event }) => event, whole: true },
  { title: 'KIND', value: ({ kind }) => kind ?? '', whole: true },
  { title: 'ACCOUNT', value: ({ account_id: id }) => id ?? '' },
  { title: 'STATE', value: ({ state }) => state, whole: true, mark: ({ state }) => (state === 'dead' ? 'bad' : undefined) },
  { title: 'TRIES', value: ({ tries }) => String(tries), whole: true },
  { title: 'LAST TRY', value: ({ tried_at: time }) => formatOptionalTime(time), whole: true },
  { title: 'STATUS', value: ({ status }) => status ?? '' },
  { title: 'ANSWER', value: ({ answer }) => answer ?? '' },
];

export const eventsSinks: Command = {
  name: 'events sinks',
  about: 'show the event sinks and what waits for them',
  operands: [],
  options: {},
  async run({ api, terminal, print, warn }) {
    const answer = await api.listSinks();
    print(answer, () => (answer.sinks.length === 0 ? '' : formatTable(SINK_COLUMNS, answer.sinks, terminal)));
    if (answer.sinks.length === 0) warn('No event sink is configured (EVENT_SINKS).');
    return true;
  },
};

export const eventsDeliveries: Command = {
  name: 'events deliveries',
  about: 'show the events for a sink and whether they were delivered, newest first',
  operands: ['sink'],
  options: {
    state: { value: 'WORD', about: 'only events in this state: waiting, delivered or dead' },
    limit: { value: '1-200', about: 'maximum number of events; default: 50' },
    cursor: { value: 'CURSOR', about: 'continue after the page that showed this cursor' },
  },
  async run({ api, operands, options, terminal, print, warn }) {
    const page = await api.listDeliveries(operands[0] ?? '', {
      state: options.text('state'),
      limit: options.text('limit'),
      cursor: options.text('cursor'),
    });
    print(page, () => (page.deliveries.length === 0 ? '' : formatTable(DELIVERY_COLUMNS, page.deliveries, terminal)));
    if (page.deliveries.length === 0) warn('No event was found.');
    if (page.next_cursor !== undefined) warn(`More events: --cursor ${page.next_cursor}`);
    return true;
  },
};

export const eventsPause: Command = {
  name: 'events pause',
  about: "pause the delivery of events to a sink until 'foyer events resume'",
  operands: ['sink'],
  options: REASON_OPTION,
  async run({ api, operands, print }) {
    const sink = operands[0] ?? '';
    const answer = await api.pauseSink(sink);
    print(answer, () => `The sink ${sanitize(sink)} ${answer.changed ? 'is paused' : 'was already paused'}.\n`);
    return true;
  },
};

export const eventsResume: Command = {
  name: 'events resume',
  about: 'resume the delivery of events to a paused sink',
  operands: ['sink'],
  options: REASON_OPTION,
  async run({ api, operands, print }) {
    const sink = operands[0] ?? '';
    const answer = await api.resumeSink(sink);
    print(answer, () => `The sink ${sanitize(sink)} ${answer.changed ? 'is resumed' : 'was not paused'}.\n`);
    return true;
  },
};

export const eventsReplay: Command = {
  name: 'events replay',
  about: 'send events to a sink: one event again, or all since a time',
  operands: ['sink'],
  options: {
    event: { value: 'ID', about: "the event, as 'foyer events deliveries' shows it" },
    since: { value: 'TIME', about: 'events from this time on, such as 2026-11-28T00:00:00Z' },
    ...REASON_OPTION,
  },
  async run({ api, operands, options, print }) {
    const sink = operands[0] ?? '';
    const [event, since] = [options.text('event'), options.text('since')];
    if ((event === undefined) === (since === undefined)) throw buildUsageFailure('Pass either --event or --since.');
    if (event !== undefined) {
      const answer = await api.replayEvent(sink, event);
      print(answer, () => `Event ${sanitize(event)} ${answer.changed ? 'is sent again' : 'is already waiting'}.\n`);
      return true;
    }
    let queuedCount = 0;
    let cursor: string | undefined;
    do {
      const answer = await api.replaySink(sink, { since: since ?? '', ...(cursor === undefined ? {} : { cursor }) });
      queuedCount += answer.queued;
      cursor = answer.next_cursor;
    } while (cursor !== undefined);
    print(
      { queued: queuedCount },
      () => `${queuedCount === 1 ? '1 event is' : `${queuedCount} events are`} queued for the sink.\n`,
    );
    return true;
  },
};
