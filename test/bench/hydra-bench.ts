/**
 * `--hydra`: the whole stack, a real Hydra and Foyer on one PostgreSQL, with each of the settings that change what Hydra
 * costs. Measured is a sign-in of a new browser until the app has its tokens; the app has a secret and skips consent.
 * `--runs=N` repeats everything in turn, because the machine is not the same all the time; `--only=NAME` leaves out variants of
 * other names.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { HydraOptions, Installation } from './installation.js';
import type { Pace } from './load-generator.js';
import { Peer, readPeer } from './peer.js';
import { cpuMsOfTree, residentMibOfTree, toCpuMs, toResidentMib } from './process-cpu.js';
import type { RawHashing } from './raw-hashing.js';
import { PostgresCluster } from '../support/postgres-cluster.js';
import { freePorts } from '../../test-kit/free-ports.js';
import { Worker } from './worker.js';

type Variant = Pick<HydraOptions, 'settings' | 'dsnParameters' | 'idTokenKey'>;

/** Milliseconds of CPU are of one sign-in. A peer has no Hydra: it is in place of the gateway. */
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
/** A secret that Hydra draws has 26 random characters: nobody finds it by trying, however cheap a try is. */
const HASHER = { OAUTH2_HASHERS_PBKDF2_ITERATIONS: '1000' };
const QUIET = { LOG_LEVEL: 'error' };
const COLLECTION = { GOGC: '400' };

export const VARIANTS: Readonly<Record<string, Variant>> = {
  'as it comes': { settings: {}, dsnParameters: '' },
  'max_conns=40': { settings: {}, dsnParameters: 'max_conns=40' },
  'max_conns=40, max_idle_conns=40': { settings: {}, dsnParameters: POOL },
  'and an ES256 key for ID tokens': { settings: {}, dsnParameters: POOL, idTokenKey: 'ES256' },
  'and 1000 iterations for client secrets': { settings: HASHER, dsnParameters: POOL },
  'and LOG_LEVEL=error': { settings: QUIET, dsnParameters: POOL },
  'and GOGC=400': { settings: COLLECTION, dsnParameters: POOL },
  'all of them': { settings: { ...HASHER, ...QUIET, ...COLLECTION }, dsnParameters: POOL, idTokenKey: 'ES256' },
};

const CONCURRENCY = 16;
const WARM_UP = 40;
const SIGN_INS = 150;
const HASHES = 60;
/** For each sign-in on average, several times what it needs; beyond it Hydra stands still. */
const PATIENCE_MS = 250;
const MIB = 1024 * 1024;

export function hydraBinary(env: NodeJS.ProcessEnv): string {
  const own = env['HYDRA_BIN'];
  const found =
    own ||
    (env['PATH'] ?? '')
      .split(delimiter)
      .map((folder) => join(folder, 'hydra'))
      .find(isExecutable);
  if (!found) throw new Error('--hydra needs a real Hydra: set HYDRA_BIN to its binary, or put hydra on the PATH.');
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

/** @param installation with a real Hydra, not started @returns null if the sign-ins stand still */
export async function measureStack(installation: Installation): Promise<StackCost | null> {
  await installation.start();
  const { cluster, hydraPid } = installation;
  if (!cluster || hydraPid === null) throw new Error('--hydra needs PostgreSQL, and Linux.');
  const gateway = await installation.startGateway();
  await installation.createPeople();
  const [load, hashing] = [installation.worker('load'), installation.worker('hashing')];
  await load.ask('plan', { routes: installation.routes, people: installation.people, concurrency: CONCURRENCY });
  const signIn = (count: number): Promise<Pace | null> =>
    nullIfLate(load.ask<Pace>('wholeSignIns', { count, kind: 'skipConsent' }), count * PATIENCE_MS);
  const hash = (): Promise<RawHashing> => hashing.ask('hash', { count: HASHES, concurrency: 8 });
  const usage = async () => ({
    gateway: (await gateway.usage()).cpuMs,
    hydra: toCpuMs(hydraPid),
    postgres: cpuMsOfTree(cluster.pid),
  });
  if ((await signIn(WARM_UP)) === null) return null;
  await hash();
  const raw = await hash();
  const before = await usage();
  const pace = await signIn(SIGN_INS);
  if (pace === null) return null;
  const after = await usage();
  const { count, seconds, medianMs, p95Ms } = pace;
  const each = (who: keyof typeof after): number => (after[who] - before[who]) / count;
  return {
    perSecond: count / seconds,
    medianMs,
    p95Ms,
    hydraMs: each('hydra'),
    postgresMs: each('postgres'),
    gatewayMs: each('gateway'),
    hashMs: raw.cpuMsEach,
    hydraMib: toResidentMib(hydraPid),
    gatewayMib: (await gateway.usage()).rssBytes / MIB,
  };
}

/** @param self file of the bench's own processes @returns null if the sign-ins stand still @throws Error that names what the peer lacks */
export async function measurePeer(self: string, folder: string): Promise<{ name: string; cost: StackCost | null }> {
  const cluster = await PostgresCluster.create();
  const workers = ['load', 'hashing'].map((role) => new Worker(self, [role]));
  let peer: Peer | undefined;
  try {
    const [port = 0, databasePort = 0] = await freePorts(2);
    await cluster.start(databasePort);
    await cluster.execute('create database peer');
    const description = readPeer({ folder, port, database: { port: databasePort, name: 'peer' } });
    peer = await Peer.start(folder, description);
    return { name: description.name, cost: await measureRunningPeer(peer, cluster, workers) };
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await peer?.stop();
    await cluster.remove();
  }
}

async function measureRunningPeer(
  { pid, route, people, description: { warmUp = WARM_UP } }: Peer,
  cluster: PostgresCluster,
  [load, hashing]: Worker[],
): Promise<StackCost | null> {
  if (!load || !hashing) throw new Error('There are two workers.');
  await load.ask('plan', { routes: { consent: route, skipConsent: route }, people, concurrency: CONCURRENCY });
  const signIn = (count: number): Promise<Pace | null> => nullIfLate(load.ask<Pace>('peerSignIns', count), count * PATIENCE_MS);
  if ((await signIn(warmUp)) === null) return null;
  const { cpuMsEach: hashMs } = await hashing.ask<RawHashing>('hash', { count: HASHES, concurrency: 8 });
  const [peerBefore, postgresBefore] = [cpuMsOfTree(pid), cpuMsOfTree(cluster.pid)];
  const pace = await signIn(SIGN_INS);
  if (pace === null) return null;
  const { count, seconds, medianMs, p95Ms } = pace;
  return {
    perSecond: count / seconds,
    medianMs,
    p95Ms,
    hydraMs: 0,
    postgresMs: (cpuMsOfTree(cluster.pid) - postgresBefore) / count,
    gatewayMs: (cpuMsOfTree(pid) - peerBefore) / count,
    hashMs,
    hydraMib: 0,
    gatewayMib: residentMibOfTree(pid),
  };
}

/** What it waits for ends with the installation. */
async function nullIfLate<T>(work: Promise<T>, patienceMs: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), patienceMs)));
  work.catch(() => undefined);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
