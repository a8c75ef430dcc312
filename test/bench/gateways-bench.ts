/**
 * `--gateways=N`: compares one gateway with N gateways that share a database. The connections of the load are spread over the gateways, and
 * used in turn, so that the requests of one sign-in reach different ones.
 */
import type { GatewayProcess } from './gateway-process.js';
import type { Installation } from './installation.js';
import type { Pace, Plan } from './load-generator.js';
import { readTreeCpuMs } from './process-cpu.js';
import type { RawHashing } from './raw-hashing.js';
import { formatMs, toCpuRow, type Row } from './report.js';
import type { Worker } from './worker.js';

/** The CPU times are for one sign-in. */
export interface GatewaysCost {
  gateways: number;
  perSecond: number;
  medianMs: number;
  p95Ms: number;
  /** The sum of all gateways. */
  gatewayMs: number;
  postgresMs: number;
  hashMs: number;
  /** The share of each gateway in `gatewayMs`. */
  shares: number[];
}

const CONCURRENCY = 16;
const WARM_UP = 600;
const SIGN_INS = 600;
const HASHES = 60;
const HASHES_AT_A_TIME = 8;

/** @param installation an installation with PostgreSQL that is not started */
export async function measureGateways(installation: Installation, count: number): Promise<GatewaysCost[]> {
  await installation.start();
  const { cluster, routes, people } = installation;
  if (!cluster) throw new Error('--gateways requires PostgreSQL and Linux.');
  const gateways = [await installation.startGateway()];
  await installation.createPeople();
  const tools = { load: installation.startWorker('load'), hashing: installation.startWorker('hashing') };
  const plan: Plan = { routes, people, concurrency: CONCURRENCY };
  await tools.load.ask('plan', plan);
  const alone = await measure(gateways, cluster.pid, tools);
  const others = await installation.startMoreGateways(count - 1);
  const spread = [installation.gatewayPort, ...others.map(({ port }) => port)];
  await tools.load.ask('plan', { ...plan, spread } satisfies Plan);
  return [alone, await measure([...gateways, ...others.map(({ gateway }) => gateway)], cluster.pid, tools)];
}

async function measure(
  gateways: readonly GatewayProcess[],
  postgres: number,
  { load, hashing }: Record<'load' | 'hashing', Worker>,
): Promise<GatewaysCost> {
  const signIn = (count: number): Promise<Pace> => load.ask('completeLogins', { count, kind: 'skipConsent' });
  const hash = (): Promise<RawHashing> => hashing.ask('hash', { count: HASHES, concurrency: HASHES_AT_A_TIME });
  // Each gateway compiles its code, so that each needs as many sign-ins before.
  await signIn(WARM_UP * gateways.length);
  await hash();
  const hashBefore = await hash();
  const readGatewaysMs = (): Promise<number[]> => Promise.all(gateways.map(async (gateway) => (await gateway.readUsage()).cpuMs));
  const [before, postgresBefore] = [await readGatewaysMs(), readTreeCpuMs(postgres)];
  const { count, seconds, medianMs, p95Ms } = await signIn(SIGN_INS);
  const postgresMs = (readTreeCpuMs(postgres) - postgresBefore) / count;
  const used = (await readGatewaysMs()).map((ms, index) => ms - (before[index] ?? 0));
  const hashAfter = await hash();
  const all = used.reduce((sum, ms) => sum + ms, 0);
  return {
    gateways: gateways.length,
    perSecond: count / seconds,
    medianMs,
    p95Ms,
    gatewayMs: all / count,
    postgresMs,
    // The speed of the machine varies.
    hashMs: (hashBefore.cpuMsEach + hashAfter.cpuMsEach) / 2,
    shares: used.map((ms) => ms / all),
  };
}

export function buildGatewaysRows(costs: readonly GatewaysCost[]): Row[] {
  return costs.flatMap((cost) => [
    { name: 'gateways on one database', value: String(cost.gateways) },
    { name: '  sign-ins a second', value: cost.perSecond.toFixed(1) },
    { name: '  duration, median and 95th percentile', value: `${formatMs(cost.medianMs)}, ${formatMs(cost.p95Ms)}` },
    toCpuRow('  CPU of the gateways for one sign-in', cost.gatewayMs, cost.hashMs),
    toCpuRow('  CPU of PostgreSQL for one sign-in', cost.postgresMs, cost.hashMs),
    { name: '  share of each gateway in the CPU time', value: cost.shares.map((share) => share.toFixed(2)).join(', ') },
  ]);
}
