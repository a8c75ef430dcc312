/**
 * Compares clocks, because codes of authenticator apps, tokens and lifetimes depend on them. Small differences are ignored, because
 * the Date header is only precise to the second.
 */
import type { Check } from '../check.js';
import { fault, hint, ok, type Finding } from '../finding.js';

const HINT_SECONDS = 5;
/** One step of an authenticator app (RFC 6238). */
const FAULT_SECONDS = 30;

const LIST = new Intl.ListFormat('en');

interface Reading {
  whose: string;
  time: Date;
  at: Date;
}

export const clockCheck: Check = {
  title: 'Clocks',
  async run(examined) {
    const [upstream, database, front] = await Promise.all([examined.upstream(), examined.database(), examined.front()]);
    const readings: Reading[] = [];
    const { serverTime } = upstream.seen;
    if (serverTime !== null) readings.push({ whose: 'Hydra', time: serverTime, at: upstream.at });
    if (database.seen.state === 'open') readings.push({ whose: 'the database', time: database.seen.time, at: database.at });
    const { people } = front.seen;
    if (people.state === 'foyer' && people.time) readings.push({ whose: 'Foyer at PUBLIC_URL', time: people.time, at: front.at });
    if (readings.length === 0) {
      return [
        hint('The clock of no other machine could be read.', 'Fix the parts that do not answer, then run the doctor again.'),
      ];
    }
    const wrong = readings.flatMap(findFinding);
    return wrong.length > 0
      ? wrong
      : [ok(`The clock of ${LIST.format(readings.map(({ whose }) => whose))} agrees with this machine's.`)];
  },
};

function findFinding({ whose, time, at }: Reading): Finding[] {
  const seconds = Math.round((time.getTime() - at.getTime()) / 1000);
  if (Math.abs(seconds) <= HINT_SECONDS) return [];
  const what = `The clock of ${whose} is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine's.`;
  const fix = 'Synchronise both machines with NTP (timedatectl set-ntp true).';
  return [Math.abs(seconds) > FAULT_SECONDS ? fault(what, fix) : hint(what, fix)];
}
