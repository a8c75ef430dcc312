/**
 * Compares clocks, because codes of authenticator apps, tokens and lifetimes depend on them. Ignores small differences, because the
 * Date header is only precise to the second.
 */
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';

const HINT_SECONDS = 5;
/** The time for which a code of an authenticator app is shown (RFC 6238). */
const FAULT_SECONDS = 30;

const LIST = new Intl.ListFormat('en');

interface Reading {
  owner: string;
  time: Date;
  /** The time of this machine when the clock was read. */
  readAt: Date;
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
    if (serverTime !== null) readings.push({ owner: 'Hydra', time: serverTime, readAt: upstream.inspectedAt });
    if (database.inspection.state === 'open')
      readings.push({ owner: 'the database', time: database.inspection.time, readAt: database.inspectedAt });
    const { publicProbe } = gateway.inspection;
    if (publicProbe.state === 'foyer' && publicProbe.time)
      readings.push({ owner: 'Foyer at PUBLIC_URL', time: publicProbe.time, readAt: gateway.inspectedAt });
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

function toFindings({ owner, time, readAt }: Reading): Finding[] {
  const seconds = Math.round((time.getTime() - readAt.getTime()) / 1000);
  if (Math.abs(seconds) <= HINT_SECONDS) return [];
  const what = `The clock of ${owner} is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine's.`;
  const fix = 'Synchronise both machines with NTP (timedatectl set-ntp true).';
  return [Math.abs(seconds) > FAULT_SECONDS ? fault(what, fix) : hint(what, fix)];
}
