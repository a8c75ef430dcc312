/**
 * `--accounts=N`: compares the cost of signing in, the account area, the operator API, an export and the cleanup with 1 000 and with N
 * accounts. Each size has a separate database with sessions, devices, events and factors in proportion
 * (`test/support/many-accounts.ts`).
 */
import { SystemClock } from '../../src/config/clock.js';
import { Cleanup } from '../../src/accounts/cleanup.js';
import { openDatabase } from '../../src/database/open-database.js';
import { accountId, buildManyAccounts } from '../support/many-accounts.js';
import type { PostgresCluster } from '../support/postgres-cluster.js';
import type { GatewayProcess } from './gateway-process.js';
import type { Installation } from './installation.js';
import type { Pace } from './load-generator.js';
import { readTreeCpuMs } from './process-cpu.js';
import type { RawHashing } from './raw-hashing.js';

/** The cost of one unit of work. The CPU time is the sum of gateway and PostgreSQL. */
export interface Effort {
  cpuMs: number;
  medianMs: number;
}

export interface Growth {
  accounts: number;
  fillSeconds: number;
  hashMs: number;
  efforts: Readonly<Record<string, Effort>>;
  idleMib: number;
  /** The peak during an export. */
  exportMib: number;
}

const CONCURRENCY = 8;
const SIGN_INS = 120;
const PAGES = 200;
const CALLS = 400;
const READS = 40;
/** The number of accounts that are read from an export, because a whole export of a million accounts takes minutes. */
const EXPORTED_ACCOUNTS = 5000;
const EXPIRED_ROWS = 5000;
/** The first accounts of a job whose time is measured. */
const JOB_ACCOUNTS = 50;
const POLL_MS = 20;
const MIB = 1024 * 1024;

/** @param installation an installation with PostgreSQL that is not started */
export async function measureGrowth(installation: Installation, accounts: number): Promise<Growth> {
  await installation.start();
  const { cluster } = installation;
  if (!cluster) throw new Error('--accounts requires PostgreSQL and Linux.');
  await (await openDatabase({ database: { url: cluster.url(), poolSize: 2, dataDir: '' }, clock: new SystemClock() })).close();
  const fillSeconds = await fill(cluster, accounts);
  const gateway = await installation.startGateway();
  const idleMib = (await gateway.readUsage()).rssBytes / MIB;
  await installation.createPeople();
  const hashing = installation.startWorker('hashing');
  await hashing.ask('hash', { count: 40, concurrency: CONCURRENCY });
  const { cpuMsEach: hashMs } = await hashing.ask<RawHashing>('hash', { count: 80, concurrency: CONCURRENCY });
  const measure = createMeasure(gateway, cluster);
  const efforts = {
    ...(await measurePeople(installation, measure)),
    ...(await measureOperators(installation, measure, accounts)),
    ...(await measureJobs(installation, measure)),
  };
  const exported = await measureExport(installation, gateway);
  return {
    accounts,
    fillSeconds,
    hashMs,
    efforts: { ...efforts, ...(await measureCleanup(cluster, measure)) },
    idleMib,
    exportMib: exported,
  };
}

async function fill(cluster: PostgresCluster, accounts: number): Promise<number> {
  const begun = performance.now();
  // Rows are inserted without checks of foreign keys, and indexes are created afterwards. With a million accounts this saves most
  // of the time.
  const indexes = await cluster.query<{ name: string; definition: string }>(`
    select quote_ident(indexname) as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and indexname not in (select conname from pg_constraint)`);
  for (const { name } of indexes) await cluster.execute(`drop index ${name}`);
  for (const statement of buildManyAccounts(accounts))
    await cluster.execute(`set session_replication_role = replica; ${statement}`);
  for (const { definition } of indexes) await cluster.execute(`set maintenance_work_mem = '1GB'; ${definition}`);
  // The server would otherwise do this in the background during the measurements.
  await cluster.execute('alter system set autovacuum = off');
  await cluster.execute('select pg_reload_conf()');
  await cluster.execute('vacuum analyze');
  await cluster.execute('checkpoint');
  return (performance.now() - begun) / 1000;
}

type Measure = (work: () => Promise<Pick<Pace, 'count' | 'medianMs'>>) => Promise<Effort>;

function createMeasure(gateway: GatewayProcess, cluster: PostgresCluster): Measure {
  const measureCpuMs = async (): Promise<number> => (await gateway.readUsage()).cpuMs + readTreeCpuMs(cluster.pid);
  return async (work) => {
    const before = await measureCpuMs();
    const { count, medianMs } = await work();
    return { cpuMs: ((await measureCpuMs()) - before) / count, medianMs };
  };
}

async function measurePeople(installation: Installation, measure: Measure): Promise<Record<string, Effort>> {
  const load = installation.startWorker('load');
  await load.ask('plan', { routes: installation.routes, people: installation.people, concurrency: CONCURRENCY });
  const signIn = (count: number): Promise<Pace> => load.ask('completeLogins', { count, kind: 'skipConsent' });
  await signIn(SIGN_INS);
  const signIns = await measure(() => signIn(SIGN_INS));
  const urls = await load.ask<string[]>('begin', 2 * PAGES);
  await load.ask('pages', { urls: urls.splice(0, PAGES), connections: CONCURRENCY });
  const pages = await measure(() => load.ask('pages', { urls, connections: CONCURRENCY }));
  await load.ask('openManageWalks', null);
  await load.ask('manageCalls', { count: CALLS, kind: 'rotating' });
  const calls = await measure(() => load.ask('manageCalls', { count: CALLS, kind: 'rotating' }));
  return { 'sign-in': signIns, 'login page': pages, 'call of the account area': calls };
}

async function measureOperators({ operator }: Installation, measure: Measure, accounts: number): Promise<Record<string, Effort>> {
  const read = async (path: string): Promise<void> => {
    const answer = await fetch(`${operator.url}/operator/v1/${path}`, { headers: { authorization: `Bearer ${operator.token}` } });
    if (answer.status !== 200) throw new Error(`${answer.status} from ${path}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  const middle = Math.floor(accounts / 2);
  const before = `signed_in_before=${new Date(Date.now() - 90 * 86_400_000).toISOString()}`;
  const paths: Record<string, string> = {
    'list: first page': 'accounts',
    'list: page in the middle': `accounts?cursor=${middle}`,
    'list: disabled': 'accounts?status=disabled',
    'list: group': 'accounts?group_name=Einkauf',
    'list: frequent word': 'accounts?search=person',
    'list: rare word': `accounts?search=${middle}`,
    'list: username': `accounts?username=person.${middle}`,
    'list: address': `accounts?email=p${middle}@example.org`,
    'list: last sign-in': `accounts?${before}`,
    'list: last sign-in, a source': `accounts?${before}&source=staff`,
    'list: last sign-in, frequent word': `accounts?${before}&search=person`,
    'list: last sign-in, rare word': `accounts?${before}&search=${middle}`,
    'list: last sign-in, group': `accounts?${before}&group=Einkauf`,
    'list: source': 'accounts?source=staff',
    'list: no source': 'accounts?local=true',
    'list: never signed in': 'accounts?never_signed_in=true',
    'list: never signed in, disabled': 'accounts?never_signed_in=true&status=disabled',
    Today: 'today',
    'search: frequent word': 'search?q=person',
    'search: address': `search?q=P${middle}@EXAMPLE.ORG`,
    'mails that did not arrive': 'mails',
    'one account': `accounts/${accountId(middle)}`,
    'events: newest': 'audit',
    'events: page in the middle': `audit?cursor=${accounts * 10}`,
    'events: of one account': `audit?account=${accountId(middle)}`,
    'events: of operators': 'audit?actor=operator',
    'events: rare kind': 'audit?kind=account.created',
  };
  const efforts: Record<string, Effort> = {};
  for (const [name, path] of Object.entries(paths)) {
    await measureReads(() => read(path), READS / 4);
    efforts[name] = await measure(() => measureReads(() => read(path), READS));
  }
  return efforts;
}

/** A job for everybody who has never signed in: the count, the start, and its first accounts. */
async function measureJobs({ operator }: Installation, measure: Measure): Promise<Record<string, Effort>> {
  const call = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${operator.token}`, 'content-type': 'application/json', 'x-foyer-reason': 'bench' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${operator.url}/operator/v1/jobs${path}`, { method, headers, ...sent });
    if (answer.status !== 200) throw new Error(`${answer.status} from ${path}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  const wanted = { action: 'end_sessions', filter: { never_signed_in: 'true' } };
  const countAll = async (): Promise<number> => (await call<{ count: number }>('POST', '/count', wanted)).count;
  const count = await countAll();
  const counted = await measure(() => measureReads(async () => void (await countAll()), READS / 4));
  let id = '';
  const started = await measure(() =>
    measureReads(async () => void ({ id } = await call<{ id: string }>('POST', '', { ...wanted, count })), 1),
  );
  const first = await measure(() =>
    measureReads(async () => {
      while ((await call<{ done: number }>('GET', `/${id}`)).done < JOB_ACCOUNTS)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }, 1),
  );
  await call('POST', `/${id}/stop`);
  return { 'job: count of a filter': counted, 'job: start': started, [`job: the first ${JOB_ACCOUNTS} accounts`]: first };
}

async function measureReads(read: () => Promise<void>, count: number): Promise<Pick<Pace, 'count' | 'medianMs'>> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const begin = performance.now();
    await read();
    times.push(performance.now() - begin);
  }
  return { count, medianMs: times.sort((one, other) => one - other)[Math.floor(count / 2)] ?? 0 };
}

/** @returns the peak memory of the gateway, in MiB */
async function measureExport({ operator }: Installation, gateway: GatewayProcess): Promise<number> {
  const stop = new AbortController();
  const answer = await fetch(`${operator.url}/operator/v1/exports`, {
    headers: { authorization: `Bearer ${operator.token}` },
    signal: stop.signal,
  });
  let [lines, most] = [0, 0];
  for await (const chunk of answer.body ?? []) {
    lines += Buffer.from(chunk).toString('latin1').split('\n').length - 1;
    most = Math.max(most, (await gateway.readUsage()).rssBytes);
    if (lines >= EXPORTED_ACCOUNTS) break;
  }
  stop.abort();
  return most / MIB;
}

/** Measures the cleanup of expired rows among many rows that have not expired. */
async function measureCleanup(cluster: PostgresCluster, measure: Measure): Promise<Record<string, Effort>> {
  await cluster.execute(`insert into challenge_record (challenge_hash, kind, browser_hash, expires_at)
    select 'expired ' || n, 'consent', 'b', now() - interval '1 hour' from generate_series(1, ${EXPIRED_ROWS}) n`);
  const database = await openDatabase({ database: { url: cluster.url(), poolSize: 2, dataDir: '' }, clock: new SystemClock() });
  try {
    const cleanup = new Cleanup(database, { eventSinks: [] });
    const clean = async (): Promise<void> => {
      await cleanup.deleteExpired();
    };
    const expired = await measure(() => measureReads(clean, 1));
    return {
      [`cleanup of ${EXPIRED_ROWS} rows`]: expired,
      'cleanup without expired rows': await measure(() => measureReads(clean, 10)),
    };
  } finally {
    await database.close();
  }
}
