/** Performs the measurements one after the other on one installation. `report.ts` explains the results. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import type { CountsAndWeight } from './count-limits.js';
import { measureFirstPaint, type FirstPaint } from './first-paint.js';
import type { GatewayProcess, Usage } from './gateway-process.js';
import type { Installation } from './installation.js';
import type { HookCalls, ManageCallKind, Pace, Plan } from './load-generator.js';
import { GATEWAY_STEPS, type GatewayStep, type WalkKind } from './login-walk.js';
import { addPasskeys } from './passkeys.js';
import { weighPage, type Part } from './page-weight.js';
import type { RawHashing } from './raw-hashing.js';
import { countSteps, type StepCounts } from './step-counts.js';
import type { Worker } from './worker.js';
import { hookBody } from '../support/hook-body.js';

export interface Amounts {
  hashes: number;
  /** Logins before the first measurement, because V8 compiles functions that are called some hundred times, and gateways run for weeks. */
  warmUp: number;
  /** Logins of each kind of people before two kinds are compared. */
  comparedWarmUp: number;
  logins: number;
  /** Logins for the costs of each step. */
  staged: number;
  pages: number;
  paints: number;
  calls: number;
}

/** CPU time of the gateway for one unit of work. */
export interface Cost {
  allMs: number;
  poolMs?: number;
  mainMs?: number;
  mainKernelMs?: number;
}

/** Logins of another kind of people, and of people with a local password at the same gateway. */
type Comparison = Record<'other' | 'local', Pace & { cost: Cost }>;

export interface Measurements {
  machine: string;
  raw: RawHashing;
  logins: Record<WalkKind, Pace & { cost: Cost }>;
  /** The cost of each step of a login with consent. */
  steps: Partial<Record<GatewayStep, Cost>>;
  counts: StepCounts;
  loginPage: Pace & { cost: Cost };
  manageCalls: Record<ManageCallKind, Pace & { cost: Cost }>;
  /** Calls of the token hook as Hydra makes them at a refresh. */
  refreshes: Pace & { cost: Cost };
  /** Logins of people of each user source and of people with a local password, at the same gateway. LDAP is missing if slapd is not installed. */
  sourceLogins: ({ source: 'LDAP (TLS)' | 'HTTP' } & Comparison)[];
  /** Logins with a passkey and with a password, with `skip_consent`; null without PostgreSQL. */
  passkeyLogins: Comparison | null;
  /** Logins at a gateway without event sinks, and at one that sends all their events to a webhook. */
  sinkLogins: Record<'without' | 'with', Pace & { cost: Cost }>;
  weight: Part[];
  paint: FirstPaint | { missing: string };
  memory: { idleBytes: number; afterLoadBytes: number };
  ready: { firstMs: number; againMs: number };
}

const CONCURRENCY = 8;
const CONNECTIONS = 20;

/** The processes for load and hashing; each is started once. */
interface Tools {
  load: Worker;
  hashing: Worker;
}

export interface Bench {
  installation: Installation;
  amounts: Amounts;
  /** The file for a CPU profile of the logins; null without a profile. */
  profile: string | null;
  say: (line: string) => void;
}

/** Counts, and measures no times. */
export async function countAll(bench: Pick<Bench, 'installation' | 'say'>): Promise<CountsAndWeight> {
  const { counts } = await startAndCount(bench);
  await bench.installation.startGateway();
  const load = await startLoad(bench.installation);
  const [url = ''] = await load.ask<string[]>('begin', 1);
  return { counts, weight: await weighPage(url) };
}

/** The counts come first, because no other gateway may run meanwhile. */
async function startAndCount({ installation, say }: Pick<Bench, 'installation' | 'say'>) {
  await installation.start();
  say('first start …');
  const { readyMs: firstMs } = await installation.startGateway();
  await installation.createPeople();
  await installation.stopGateways();
  say('counting …');
  return { firstMs, counts: await countSteps(installation) };
}

async function startLoad(installation: Installation): Promise<Worker> {
  const load = installation.startWorker('load');
  await load.ask('plan', { routes: installation.routes, people: installation.people, concurrency: CONCURRENCY } satisfies Plan);
  return load;
}

export async function measureAll(bench: Bench): Promise<Measurements> {
  const { installation, amounts, say } = bench;
  const { firstMs, counts } = await startAndCount(bench);
  const gateway = await installation.startGateway();
  const { rssBytes: idleBytes } = await gateway.readUsage();
  const tools: Tools = { load: await startLoad(installation), hashing: installation.startWorker('hashing') };
  say('warming up …');
  await tools.load.ask('completeLogins', { count: amounts.warmUp, kind: 'consent' });
  await tools.load.ask('completeLogins', { count: Math.ceil(amounts.warmUp / 4), kind: 'skipConsent' });
  say('logins …');
  const { raw, logins } = await measureLogins(bench, gateway, tools);
  const steps = await measureSteps(bench, gateway, tools.load);
  const manageCalls = await measureManageCalls(bench, gateway, tools.load);
  const refreshes = await measureRefreshes(bench, gateway, tools.load);
  say('login page …');
  const [warmUp, paints] = [Math.ceil(amounts.pages / 4), amounts.paints + 1];
  const urls = await tools.load.ask<string[]>('begin', warmUp + amounts.pages + 1 + paints);
  await tools.load.ask('pages', { urls: urls.splice(0, warmUp), connections: CONNECTIONS });
  const loads = { urls: urls.splice(0, amounts.pages), connections: CONNECTIONS };
  const loginPage = await measureCost(gateway, () => tools.load.ask<Pace>('pages', loads));
  const { rssBytes: afterLoadBytes } = await gateway.readUsage();
  const weight = await weighPage(urls.shift() ?? '');
  say('first paint …');
  const paint = await measurePaint(urls);
  const memory = { idleBytes, afterLoadBytes };
  const passkeyLogins = await measurePasskeys(bench, gateway, tools.load);
  const sourceLogins = await measureSources(bench, tools.load);
  const sinkLogins = await measureSinks(bench, tools.load);
  return {
    machine: describeMachine(),
    raw,
    logins,
    steps,
    counts,
    loginPage,
    manageCalls,
    refreshes,
    passkeyLogins,
    sourceLogins,
    sinkLogins,
    weight,
    paint,
    memory,
    ready: { firstMs, againMs: gateway.readyMs },
  };
}

/** Measures the logins between two measurements of hashing, because the speed of the machine varies. */
async function measureLogins({ amounts, profile }: Bench, gateway: GatewayProcess, { load, hashing }: Tools) {
  const hash = (): Promise<RawHashing> => hashing.ask('hash', { count: amounts.hashes, concurrency: CONCURRENCY });
  await hash();
  const before = await hash();
  const walk = (kind: WalkKind, count: number): Promise<Pace & { cost: Cost }> =>
    measureCost(gateway, () => load.ask<Pace>('completeLogins', { count, kind }));
  const consent = await walk('consent', amounts.logins);
  const logins = { consent, skipConsent: await walk('skipConsent', Math.ceil(amounts.logins / 2)) };
  const after = await hash();
  if (profile !== null) {
    // The profile has separate logins, because sampling costs CPU time, too.
    await gateway.startProfile();
    await load.ask('completeLogins', { count: amounts.staged, kind: 'consent' });
    await gateway.stopProfile(profile);
  }
  const mean = (key: keyof RawHashing): number => (before[key] + after[key]) / 2;
  return { logins, raw: { perSecond: mean('perSecond'), cpuMsEach: mean('cpuMsEach') } };
}

async function measureSteps({ amounts, say }: Bench, gateway: GatewayProcess, load: Worker): Promise<Measurements['steps']> {
  say('steps …');
  await load.ask('begin', amounts.staged);
  const costs: [GatewayStep, Cost][] = [];
  for (const step of GATEWAY_STEPS.consent) {
    const { cost } = await measureCost(gateway, () => load.ask<Pace>('requestGateway', step));
    costs.push([step, cost]);
    await load.ask('followUpstream', step);
  }
  return Object.fromEntries(costs);
}

async function measureManageCalls(
  { amounts, say }: Bench,
  gateway: GatewayProcess,
  load: Worker,
): Promise<Measurements['manageCalls']> {
  say('calls of the account area …');
  await load.ask('openManageWalks', null);
  const measureCalls = (kind: ManageCallKind, count: number): Promise<Pace & { cost: Cost }> =>
    measureCost(gateway, () => load.ask<Pace>('manageCalls', { count, kind }));
  await measureCalls('rotating', Math.ceil(amounts.calls / 4));
  const rotating = await measureCalls('rotating', amounts.calls);
  return {
    rotating,
    repeated: await measureCalls('repeated', amounts.calls),
    refused: await measureCalls('refused', amounts.calls),
  };
}

async function measureRefreshes(
  { installation, amounts, say }: Bench,
  gateway: GatewayProcess,
  load: Worker,
): Promise<Measurements['refreshes']> {
  say('token hook …');
  const scopes = ['openid', 'offline', 'profile', 'email'];
  const bodies = (await installation.listAccountIds()).map((subject) => JSON.stringify(hookBody({ subject, scopes })));
  const call = (count: number): Promise<Pace> =>
    load.ask('hookCalls', { count, bodies, ...installation.tokenHook } satisfies HookCalls);
  await call(Math.ceil(amounts.calls / 4));
  return measureCost(gateway, () => call(amounts.calls));
}

async function measurePasskeys(
  { installation, amounts, say }: Bench,
  gateway: GatewayProcess,
  load: Worker,
): Promise<Measurements['passkeyLogins']> {
  if (!installation.cluster) return null;
  say('logins with a passkey …');
  const { people } = installation;
  const half = people.length / 2;
  const other = await addPasskeys(installation.cluster, people.slice(half));
  return measureSourceLogins({ other, local: people.slice(0, half) }, { installation, amounts }, { gateway, load });
}

/** Measures each user source with a separate gateway, because the other measurements are without user sources. */
async function measureSources({ installation, amounts, say }: Bench, load: Worker): Promise<Measurements['sourceLogins']> {
  const measured: Measurements['sourceLogins'] = [];
  const directory = await installation.startDirectory();
  for (const [source, started] of [
    ['LDAP (TLS)', directory],
    ['HTTP', await installation.startService()],
  ] as const) {
    if (!started) continue;
    say(`logins of people of a user source over ${source} …`);
    await installation.stopGateways();
    const gateway = await installation.startGateway(started.settings);
    const people = { other: started.people, local: installation.people };
    measured.push({ source, ...(await measureSourceLogins(people, { installation, amounts }, { gateway, load })) });
  }
  return measured;
}

async function measureSourceLogins(
  { other, local }: Record<keyof Comparison, Plan['people']>,
  { installation, amounts }: Pick<Bench, 'installation' | 'amounts'>,
  { gateway, load }: { gateway: GatewayProcess; load: Worker },
): Promise<Comparison> {
  const logins = async (people: Plan['people'], count: number): Promise<Pace & { cost: Cost }> => {
    await load.ask('plan', { routes: installation.routes, people, concurrency: CONCURRENCY } satisfies Plan);
    return measureCost(gateway, () => load.ask<Pace>('completeLogins', { count, kind: 'skipConsent' }));
  };
  for (const people of [other, local]) await logins(people, amounts.comparedWarmUp);
  return { local: await logins(local, amounts.logins), other: await logins(other, amounts.logins) };
}

/** Measures with separate gateways; the deliveries are part of the work of the one with a sink. */
async function measureSinks({ installation, amounts, say }: Bench, load: Worker): Promise<Measurements['sinkLogins']> {
  say('logins without and with an event sink …');
  const { routes, people } = installation;
  const receiver = createServer((request, response) => void request.resume().on('end', () => response.writeHead(204).end()));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const secrets = [`whsec_${randomBytes(32).toString('base64')}`];
  const sink = { name: 'bench', kind: 'webhook', address, secrets, events: ['*'] };
  const logins = async (settings: NodeJS.ProcessEnv): Promise<Pace & { cost: Cost }> => {
    await installation.stopGateways();
    const gateway = await installation.startGateway(settings);
    await load.ask('plan', { routes, people, concurrency: CONCURRENCY } satisfies Plan);
    await load.ask('completeLogins', { count: amounts.comparedWarmUp, kind: 'skipConsent' });
    return measureCost(gateway, () => load.ask<Pace>('completeLogins', { count: amounts.logins, kind: 'skipConsent' }));
  };
  const measured = { without: await logins({}), with: await logins({ EVENT_SINKS: JSON.stringify([sink]) }) };
  await installation.stopGateways();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  return measured;
}

async function measureCost(gateway: GatewayProcess, work: () => Promise<Pace>): Promise<Pace & { cost: Cost }> {
  const before = await gateway.readUsage();
  const pace = await work();
  const after = await gateway.readUsage();
  return { ...pace, cost: toCost(before, after, pace.count) };
}

function toCost(before: Usage, after: Usage, count: number): Cost {
  const allMs = (after.cpuMs - before.cpuMs) / count;
  if (after.poolMs === undefined || after.mainMs === undefined) return { allMs };
  return {
    allMs,
    poolMs: (after.poolMs - (before.poolMs ?? 0)) / count,
    mainMs: (after.mainMs - (before.mainMs ?? 0)) / count,
    mainKernelMs: ((after.mainKernelMs ?? 0) - (before.mainKernelMs ?? 0)) / count,
  };
}

/** Connects directly to the listener of the gateway, because there is no proxy with a certificate. */
async function measurePaint(addresses: readonly string[]): Promise<Measurements['paint']> {
  const urls = addresses.map((address) => {
    const { port, pathname, search } = new URL(address);
    return `http://127.0.0.1:${port}${pathname}${search}`;
  });
  return measureFirstPaint(urls).catch((error: unknown) => ({
    missing: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error),
  }));
}

function describeMachine(): string {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model ?? 'unknown CPU'}, Node ${process.version}`;
}
