/**
 * `--hydra`: measures a real Hydra and Foyer with one PostgreSQL, once for each setting that changes the cost of Hydra. A measured
 * sign-in begins in a new browser and ends when the app has its tokens; the app has a secret and skips consent. `--runs=N` repeats all
 * variants, because the speed of the machine varies; `--only=NAME` measures only variants whose name contains NAME.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { HydraOptions, Installation } from './installation.js';
import type { Pace } from './load-generator.js';
import { Peer, readPeer } from './peer.js';
import { readCpuMs, readResidentMib, readTreeCpuMs, readTreeResidentMib } from './process-cpu.js';
import type { RawHashing } from './raw-hashing.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { findFreePorts } from '../../test-kit/free-ports.js';
import { Worker } from './worker.js';

type Variant = Pick<HydraOptions, 'settings' | 'dsnParameters' | 'idTokenKey'>;

/** The CPU times are for one sign-in. A peer takes the place of the gateway, and has no Hydra. */
export interface StackCost {
  perSecond: number;
  medianMs: number;
  p95Ms: number;
  hydraMs: number;
  postgresMs: number;
  gatewayMs: number;
  hashMs: number;
  hydraMib: number;
  gatewayMib: number;
}

const POOL = 'max_conns=40&max_idle_conns=40';
/** A secret that Hydra generates has 26 random characters, so nobody can guess it, even if each attempt is cheap. */
const HASHER = { OAUTH2_HASHERS_PBKDF2_ITERATIONS: '1000' };
const QUIET = { LOG_LEVEL: 'error' };
const GARBAGE_COLLECTION = { GOGC: '400' };

export const VARIANTS: Readonly<Record<string, Variant>> = {
  'default settings': { settings: {}, dsnParameters: '' },
  'max_conns=40': { settings: {}, dsnParameters: 'max_conns=40' },
  'max_conns=40, max_idle_conns=40': { settings: {}, dsnParameters: POOL },
  'and an ES256 key for ID tokens': { settings: {}, dsnParameters: POOL, idTokenKey: 'ES256' },
  'and 1000 iterations for client secrets': { settings: HASHER, dsnParameters: POOL },
  'and LOG_LEVEL=error': { settings: QUIET, dsnParameters: POOL },
  'and GOGC=400': { settings: GARBAGE_COLLECTION, dsnParameters: POOL },
  'all of them': { settings: { ...HASHER, ...QUIET, ...GARBAGE_COLLECTION }, dsnParameters: POOL, idTokenKey: 'ES256' },
};

const CONCURRENCY = 16;
const WARM_UP = 600;
const SIGN_INS = 300;
const HASHES = 60;
/** The longest average time of a sign-in, which is several times the usual one. If it is exceeded, Hydra hangs. */
const HANGS_AFTER_MS = 250;
const MIB = 1024 * 1024;

export function findHydraBinary(env: NodeJS.ProcessEnv): string {
  const own = env['HYDRA_BIN'];
  const found =
    own ||
    (env['PATH'] ?? '')
      .split(delimiter)
      .map((folder) => join(folder, 'hydra'))
      .find(isExecutable);
  if (!found)
    throw new Error('--hydra requires a real Hydra: set HYDRA_BIN to the path of its binary, or put hydra on the PATH.');
  return found;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param installation an installation with a real Hydra that is not started
 * @returns null if Hydra hangs
 */
export async function measureStack(installation: Installation): Promise<StackCost | null> {
  await installation.start();
  const { cluster, hydraPid } = installation;
  if (!cluster || hydraPid === null) throw new Error('--hydra requires PostgreSQL and Linux.');
  const gateway = await installation.startGateway();
  await installation.createPeople();
  const [load, hashing] = [installation.startWorker('load'), installation.startWorker('hashing')];
  await load.ask('plan', { routes: installation.routes, people: installation.people, concurrency: CONCURRENCY });
  const signIn = (count: number): Promise<Pace | null> =>
    waitAtMost(load.ask<Pace>('completeSignIns', { count, kind: 'skipConsent' }), count * HANGS_AFTER_MS);
  const readUsage = async (): Promise<Usage> => ({
    gatewayMs: (await gateway.readUsage()).cpuMs,
    hydraMs: readCpuMs(hydraPid),
    postgresMs: readTreeCpuMs(cluster.pid),
  });
  const cost = await measureWarm({ signIn, warmUp: WARM_UP, hashing, readUsage });
  const gatewayMib = (await gateway.readUsage()).rssBytes / MIB;
  return cost && { ...cost, hydraMib: readResidentMib(hydraPid), gatewayMib };
}

/** @param self file of the bench's own processes @returns null if the sign-ins hang @throws Error that names what the peer lacks */
export async function measurePeer(self: string, folder: string): Promise<{ name: string; cost: StackCost | null }> {
  const cluster = await PostgresCluster.create();
  const [load, hashing] = [new Worker(self, ['load']), new Worker(self, ['hashing'])];
  let peer: Peer | undefined;
  try {
    const [port = 0, databasePort = 0] = await findFreePorts(2);
    await cluster.start(databasePort);
    await cluster.execute('create database peer');
    const description = readPeer({ folder, port, database: { port: databasePort, name: 'peer' } });
    const { pid, route, people } = (peer = await Peer.start(folder, description));
    await load.ask('plan', { routes: { consent: route, skipConsent: route }, people, concurrency: CONCURRENCY });
    const signIn = (count: number): Promise<Pace | null> =>
      waitAtMost(load.ask<Pace>('peerSignIns', count), count * HANGS_AFTER_MS);
    const readUsage = (): Promise<Usage> =>
      Promise.resolve({ gatewayMs: readTreeCpuMs(pid), hydraMs: 0, postgresMs: readTreeCpuMs(cluster.pid) });
    const cost = await measureWarm({ signIn, warmUp: description.warmUp ?? WARM_UP, hashing, readUsage });
    return { name: description.name, cost: cost && { ...cost, hydraMib: 0, gatewayMib: readTreeResidentMib(pid) } };
  } finally {
    await Promise.all([load.stop(), hashing.stop()]);
    await peer?.stop();
    await cluster.remove();
  }
}

/** CPU times since the start of the processes. */
type Usage = Pick<StackCost, 'gatewayMs' | 'hydraMs' | 'postgresMs'>;

interface MeasuredStack {
  /** Answers null if the sign-ins hang. */
  signIn(count: number): Promise<Pace | null>;
  warmUp: number;
  hashing: Worker;
  readUsage(): Promise<Usage>;
}

/** @returns null if the sign-ins hang */
async function measureWarm({
  signIn,
  warmUp,
  hashing,
  readUsage,
}: MeasuredStack): Promise<Omit<StackCost, 'hydraMib' | 'gatewayMib'> | null> {
  const hash = (): Promise<RawHashing> => hashing.ask('hash', { count: HASHES, concurrency: 8 });
  if ((await signIn(warmUp)) === null) return null;
  await hash();
  const { cpuMsEach: hashMs } = await hash();
  const before = await readUsage();
  const pace = await signIn(SIGN_INS);
  if (pace === null) return null;
  const after = await readUsage();
  const { count, seconds, medianMs, p95Ms } = pace;
  const computeMs = (name: keyof Usage): number => (after[name] - before[name]) / count;
  return {
    perSecond: count / seconds,
    medianMs,
    p95Ms,
    hydraMs: computeMs('hydraMs'),
    postgresMs: computeMs('postgresMs'),
    gatewayMs: computeMs('gatewayMs'),
    hashMs,
  };
}

/** @returns null if the work takes longer. It is not aborted, because it ends with the installation. */
async function waitAtMost<T>(work: Promise<T>, limitMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), limitMs)));
  work.catch(() => undefined);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
