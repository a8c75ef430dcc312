/**
 * Compares clocks, because codes of authenticator apps, tokens and lifetimes depend on them. Ignores small differences, because the
 * Date header is only precise to the second.
 */
import type { Check } from '../check.js';
import type { TimedResult } from '../examination.js';
import { fault, hint, ok, type Finding } from '../finding.js';

const HINT_SECONDS = 5;
/** The time for which a code of an authenticator app is shown (RFC 6238). */
const FAULT_SECONDS = 30;

const LIST = new Intl.ListFormat('en');

interface Reading {
  owner: string;
  time: Date;
  /** The inspection during which the clock was read. */
  during: Pick<TimedResult<unknown>, 'startedAt' | 'endedAt'>;
}

export const clockCheck: Check = {
  title: 'Clocks',
  async run(examination) {
    const [upstream, database, gateway] = await Promise.all([
      examination.upstream(),
      examination.database(),
      examination.gateway(),
    ]);
    const readings: Reading[] = [];
    const { serverTime } = upstream.inspection;
    if (serverTime !== null) readings.push({ owner: 'Hydra', time: serverTime, during: upstream });
    if (database.inspection.state === 'open')
      readings.push({ owner: 'the database', time: database.inspection.time, during: database });
    const { publicProbe } = gateway.inspection;
    if (publicProbe.state === 'foyer' && publicProbe.time)
      readings.push({ owner: 'Foyer at PUBLIC_URL', time: publicProbe.time, during: gateway });
    if (readings.length === 0) {
      return [hint('No clock of another machine could be read.', 'Fix the parts that do not answer, then run the doctor again.')];
    }
    const differences = readings.flatMap(toFindings);
    if (differences.length > 0) return differences;
    const owners = LIST.format(readings.map(({ owner }) => owner));
    const what = readings.length === 1 ? `The clock of ${owners} agrees` : `The clocks of ${owners} agree`;
    return [ok(`${what} with this machine's.`)];
  },
};

/** An inspection can take many seconds if a part does not answer, so every time between its start and its end is right. */
function toFindings({ owner, time, during: { startedAt, endedAt } }: Reading): Finding[] {
  const rightMs = Math.min(Math.max(time.getTime(), startedAt.getTime()), endedAt.getTime());
  const seconds = Math.round((time.getTime() - rightMs) / 1000);
  if (Math.abs(seconds) <= HINT_SECONDS) return [];
  const what = `The clock of ${owner} is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine's.`;
  const fix = 'Synchronise both machines with NTP (timedatectl set-ntp true).';
  return [Math.abs(seconds) > FAULT_SECONDS ? fault(what, fix) : hint(what, fix)];
}
