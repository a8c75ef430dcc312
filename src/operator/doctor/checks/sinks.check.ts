/**
 * Reports event sinks that accept no events, or whose events were given up, and a clock that was set back, from the state that gateways
 * stored. Sends no events.
 */
import type { SinkSettings } from '../../../config/sink-settings.js';
import type { InspectedSink } from '../../../database/inspection/inspect-database.js';
import type { Check } from '../check.js';
import { fault, formatCount, hint, ok, type Finding } from '../finding.js';

/** The threshold of the alert `FoyerEventsWait` (deploy/observability/alerts.yml). */
const LONG_WAIT_SECONDS = 15 * 60;
/** The stored times come from the clock of the database, so only a clock that was set back explains a greater difference. */
const MAX_AHEAD_SECONDS = 60;
const MAX_COUNT = 1000;

export const sinksCheck: Check = {
  title: 'Event sinks',
  async run(examination) {
    const { config, faults } = examination;
    if (faults.some((text) => text.startsWith('EVENT_SINKS'))) return [];
    const { inspection } = await examination.database();
    return inspection.state === 'open' ? checkSinks(config.eventSinks, inspection.sinks) : [];
  },
};

export function checkSinks(settings: readonly Pick<SinkSettings, 'name'>[], sinks: readonly InspectedSink[]): Finding[] {
  const names = settings.map(({ name }) => name);
  const removedSinks = sinks.filter(({ name }) => !names.includes(name));
  return [
    ...names.flatMap((name) =>
      checkSink(
        name,
        sinks.find((sink) => sink.name === name),
      ),
    ),
    ...removedSinks.flatMap(checkRemovedSink),
    ...checkClock(sinks),
  ];
}

function checkSink(name: string, sink: InspectedSink | undefined): Finding[] {
  if (!sink)
    return [hint(`No gateway has started with the event sink ${name} yet.`, 'Start the gateways with the same EVENT_SINKS.')];
  const problems = [...checkDelivery(sink), ...checkDeadEvents(sink)];
  if (problems.length > 0) return problems;
  const state = sink.lastStatus === null ? 'has not received an event yet' : `accepts events (last answer: ${sink.lastStatus})`;
  return [ok(`The event sink ${name} ${state}.`)];
}

function checkDelivery({ name, pausedAt, failingSince, lastStatus, waitingSeconds }: InspectedSink): Finding[] {
  if (pausedAt)
    return [
      hint(
        `The event sink ${name} has been paused since ${toTime(pausedAt)}: its events wait.`,
        `Run: foyer events resume ${name} --reason TEXT.`,
      ),
    ];
  if (failingSince)
    return [
      fault(
        `The event sink ${name} has failed since ${toTime(failingSince)} (last answer: ${lastStatus ?? 'none'}): its events wait.`,
        `Check address, secrets and ca of "${name}" in EVENT_SINKS, and the log of the receiver. Run: foyer events deliveries ${name}.`,
      ),
    ];
  if ((waitingSeconds ?? 0) < LONG_WAIT_SECONDS) return [];
  return [
    hint(
      `An event has waited for the sink ${name} for ${Math.floor((waitingSeconds ?? 0) / 60)} minutes.`,
      `Check that a gateway runs with EVENT_SINKS, and what the receiver answers: foyer events deliveries ${name} --state waiting.`,
    ),
  ];
}

function checkDeadEvents({ name, deadCount }: InspectedSink): Finding[] {
  if (deadCount === 0) return [];
  const events = deadCount > MAX_COUNT ? `More than ${MAX_COUNT} events` : deadCount === 1 ? '1 event' : `${deadCount} events`;
  return [
    hint(
      `${events} for the sink ${name} ${deadCount === 1 ? 'was' : 'were'} given up after three days.`,
      `Run: foyer events deliveries ${name} --state dead; send them again with foyer events replay.`,
    ),
  ];
}

function checkRemovedSink({ name, waitingSeconds }: InspectedSink): Finding[] {
  if (waitingSeconds === null) return [];
  return [
    hint(
      `Events wait for the sink ${name}, which EVENT_SINKS no longer names. They are deleted 30 days after the sink was removed.`,
      'To deliver them, add the sink to EVENT_SINKS again, with the same name.',
    ),
  ];
}

function checkClock(sinks: readonly InspectedSink[]): Finding[] {
  const maxAheadSeconds = Math.max(0, ...sinks.map(({ aheadSeconds }) => aheadSeconds));
  if (maxAheadSeconds <= MAX_AHEAD_SECONDS) return [];
  return [
    fault(
      `The clock of the database was set back by at least ${formatCount(Math.floor(maxAheadSeconds / 60), 'minute', 'minutes')}: events whose last try failed are tried again later than planned.`,
      'Synchronise the clock of the database with NTP.',
    ),
  ];
}

/** Formats a time to the minute. */
function toTime(at: Date): string {
  return `${at.toISOString().slice(0, 16)}Z`;
}
