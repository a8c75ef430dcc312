/** Reports event sinks that take no events or have given some up, as the gateways have stored it. Sends nothing to any sink. */
import type { SinkSettings } from '../../../config/sink-settings.js';
import type { InspectedSink } from '../../../database/inspection/inspect-database.js';
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';

/** As the alert `FoyerEventsWait` (deploy/observability/alerts.yml). */
const LONG_SECONDS = 15 * 60;
/** Gateways note their sinks with the time of the database, so only a clock that was set back explains more. */
const AHEAD_SECONDS = 60;
const MOST_COUNTED = 1000;

export const sinksCheck: Check = {
  title: 'Event sinks',
  async run(examined) {
    const { config, faults } = examined;
    if (faults.some((text) => text.startsWith('EVENT_SINKS'))) return [];
    const { seen } = await examined.database();
    return seen.state === 'open' ? sinkFindings(config.eventSinks, seen.sinks) : [];
  },
};

export function sinkFindings(settings: readonly Pick<SinkSettings, 'name'>[], seen: readonly InspectedSink[]): Finding[] {
  const names = settings.map(({ name }) => name);
  const removed = seen.filter(({ name }) => !names.includes(name));
  return [
    ...names.flatMap((name) =>
      checkSink(
        name,
        seen.find((sink) => sink.name === name),
      ),
    ),
    ...removed.flatMap(checkRemoved),
    ...checkClock(seen),
  ];
}

function checkSink(name: string, sink: InspectedSink | undefined): Finding[] {
  if (!sink)
    return [hint(`No gateway has started with the event sink ${name} yet.`, 'Start the gateways with the same EVENT_SINKS.')];
  const troubles = [...checkDelivery(sink), ...checkDead(sink)];
  if (troubles.length > 0) return troubles;
  const last = sink.lastStatus === null ? 'has not had an event yet' : `takes events (last answer: ${sink.lastStatus})`;
  return [ok(`The event sink ${name} ${last}.`)];
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
  if ((waitingSeconds ?? 0) < LONG_SECONDS) return [];
  return [
    hint(
      `An event has waited for the sink ${name} for ${Math.floor((waitingSeconds ?? 0) / 60)} minutes.`,
      `Check that a gateway runs with EVENT_SINKS, and what the receiver answers: foyer events deliveries ${name} --state waiting.`,
    ),
  ];
}

function checkDead({ name, dead }: InspectedSink): Finding[] {
  if (dead === 0) return [];
  const many = dead > MOST_COUNTED ? `More than ${MOST_COUNTED} events` : dead === 1 ? '1 event' : `${dead} events`;
  return [
    hint(
      `${many} for the sink ${name} ${dead === 1 ? 'was' : 'were'} given up after three days.`,
      `Run: foyer events deliveries ${name} --state dead; send them again with foyer events replay.`,
    ),
  ];
}

function checkRemoved({ name, waitingSeconds }: InspectedSink): Finding[] {
  if (waitingSeconds === null) return [];
  return [
    hint(
      `Events wait for the sink ${name}, which EVENT_SINKS no longer names. They are deleted 30 days after it was removed.`,
      'To have them delivered, name the sink in EVENT_SINKS again, with the same name.',
    ),
  ];
}

function checkClock(seen: readonly InspectedSink[]): Finding[] {
  const ahead = Math.max(0, ...seen.map(({ aheadSeconds }) => aheadSeconds));
  if (ahead <= AHEAD_SECONDS) return [];
  return [
    fault(
      `The clock of the database was set back by ${Math.round(ahead / 60)} minutes or more: tries of event sinks are due later than they should be, for up to ten minutes.`,
      'Synchronise the clock of the database with NTP.',
    ),
  ];
}

/** To the minute. */
function toTime(at: Date): string {
  return `${at.toISOString().slice(0, 16)}Z`;
}
