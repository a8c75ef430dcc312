/**
 * `--flood=N`: what people wait for while N wrong passwords a minute come from as many addresses, and on the same gateway
 * without them: somebody with a known device, somebody who signed in from this network today, and a stranger, each with the right
 * password.
 */
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { KNOWN_BY, type Guesses, type KnownBy, type SignIns } from './flood-load.js';
import type { Installation } from './installation.js';
import { readTreeCpuMs } from './process-cpu.js';
import type { Row } from './report.js';

export interface Flood {
  perMinute: number;
  quiet: Record<KnownBy, SignIns>;
  flooded: Record<KnownBy, SignIns>;
  guesses: Guesses;
  /** The largest value that was read of each gauge in `GAUGES`. */
  most: Record<string, number>;
  /** CPU time during the flood, where the platform reports it. */
  usedMs: Record<'main thread' | 'hashing' | 'PostgreSQL', number>;
  /** From the first guess to the last answer. */
  passedMs: number;
  /** Running processes of the whole machine in the last minute, before and after. */
  load: [number, number];
}

const SECONDS = 30;
const QUIET_SECONDS = 10;
const WARM_UP_SECONDS = 4;
/** Until the queue is full. */
const FILLING_SECONDS = 4;
const READ_EVERY_MS = 250;
const GAUGES = {
  'hashes that wait': 'foyer_hash_waiting',
  'requests that wait for a database connection': 'db_client_connection_pending_requests',
  'seconds of delay of the event loop': 'nodejs_eventloop_delay_max_seconds',
};

interface FloodOptions {
  /** Wrong passwords. */
  perMinute: number;
  /** Where a CPU profile of the flood goes; null without one. */
  profile: string | null;
}

/** @param installation with PostgreSQL, not started */
export async function measureFlood(installation: Installation, { perMinute, profile }: FloodOptions): Promise<Flood> {
  await installation.start();
  const { cluster } = installation;
  if (!cluster) throw new Error('--flood needs PostgreSQL, and Linux.');
  const gateway = await installation.startGateway({ OTEL_METRICS_EXPORTER: 'prometheus' });
  await installation.createPeople();
  const [guessers, owners] = [installation.startWorker('flood'), installation.startWorker('flood')];
  const plan = { route: installation.routes.skipConsent, people: installation.people };
  const [before = 0] = loadavg();
  await guessers.ask('prepareGuesses', plan);
  await owners.ask('prepareSignIns', plan);
  await guessers.ask('guess', { perMinute, seconds: WARM_UP_SECONDS });
  await owners.ask('signIn', WARM_UP_SECONDS);
  const quiet = await owners.ask<Flood['quiet']>('signIn', QUIET_SECONDS);
  const most: Flood['most'] = {};
  const reading = setInterval(() => {
    // A busy gateway may close the connection of a read; the next read counts.
    void readGauges(installation, most).catch(() => undefined);
  }, READ_EVERY_MS);
  const measureMs = async (): Promise<number[]> => {
    const { mainMs = 0, poolMs = 0 } = await gateway.readUsage();
    return [performance.now(), mainMs, poolMs, readTreeCpuMs(cluster.pid)];
  };
  try {
    if (profile !== null) await gateway.startProfile();
    const begun = await measureMs();
    const guessing = guessers.ask<Guesses>('guess', { perMinute, seconds: SECONDS });
    await sleep(FILLING_SECONDS * 1000);
    const flooded = await owners.ask<Flood['flooded']>('signIn', SECONDS - FILLING_SECONDS);
    const guesses = await guessing;
    const ended = await measureMs();
    if (profile !== null) await gateway.stopProfile(profile);
    const [passedMs = 0, main = 0, hashing = 0, postgres = 0] = ended.map((ms, index) => ms - (begun[index] ?? 0));
    const usedMs = { 'main thread': main, hashing, PostgreSQL: postgres };
    return { perMinute, quiet, flooded, guesses, most, usedMs, passedMs, load: [before, loadavg()[0] ?? 0] };
  } finally {
    clearInterval(reading);
  }
}

async function readGauges({ operator }: Installation, most: Flood['most']): Promise<void> {
  const answer = await fetch(`${operator.url}/metrics`, { headers: { authorization: `Bearer ${operator.token}` } });
  const text = await answer.text();
  for (const [name, metric] of Object.entries(GAUGES)) {
    const value = Number(new RegExp(`^${metric}(?:\\{.*\\})? (\\S+)`, 'm').exec(text)?.[1]);
    most[name] = Math.max(most[name] ?? 0, value);
  }
}

const NAMES: Record<KnownBy, string> = {
  device: 'a known device',
  network: 'a network with a sign-in today',
  nothing: 'a stranger with the right password',
};
const MAX_DELAY_MS = 1000;

export function buildFloodRows({ perMinute, quiet, flooded, guesses, most, usedMs, passedMs, load }: Flood): Row[] {
  const { sent, seconds, statuses } = guesses;
  const { 422: hashed = 0, 503: refused = 0, ...others } = statuses;
  return [
    { name: 'wrong passwords a minute', value: ((sent / seconds) * 60).toFixed(0), target: `${perMinute}` },
    { name: '  sent, hashed, refused', value: `${sent}, ${hashed}, ${refused}` },
    { name: '  other answers', value: JSON.stringify(others) },
    ...Object.entries(most).map(([name, value]) => ({ name: `  ${name}, most`, value: String(Number(value.toFixed(2))) })),
    ...KNOWN_BY.flatMap((knownBy) => buildSignInRows(knownBy, quiet[knownBy], flooded[knownBy])),
    ...Object.entries(usedMs).map(([name, ms]) => ({
      name: `  CPU of ${name} for each; cores in use`,
      value: `${(ms / sent).toFixed(2)} ms; ${(ms / passedMs).toFixed(2)}`,
    })),
    { name: 'load of the machine before and after', value: `${load.join(', ')} on ${availableParallelism()} cores` },
  ];
}

function buildSignInRows(knownBy: KnownBy, quiet: SignIns, flooded: SignIns): Row[] {
  const target = knownBy === 'nothing' ? {} : { target: `≤ ${MAX_DELAY_MS} ms longer` };
  return [
    { name: NAMES[knownBy], value: compare(quiet.durations, flooded.durations), ...target },
    { name: '  of it the answer to the password', value: compare(quiet.waits, flooded.waits) },
    { name: '  sign-ins, of them refused', value: `${flooded.durations.length}, ${flooded.refused}` },
  ];
}

function compare(quiet: readonly number[], flooded: readonly number[]): string {
  const format = (durations: readonly number[]): string => {
    const sorted = durations.toSorted((one, other) => one - other);
    return [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0].map((ms) => `${ms.toFixed(0)} ms`).join(', ');
  };
  return `median, worst: ${format(quiet)} → ${format(flooded)}`;
}
