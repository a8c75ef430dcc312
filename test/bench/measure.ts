/** The measurements, one after the other on one installation. What they mean is said by `report.ts`. */
import { cpus } from 'node:os';
import { firstPaint, type FirstPaint } from './first-paint.js';
import type { GatewayProcess, Usage } from './gateway-process.js';
import type { Installation } from './installation.js';
import type { ManageCallKind, Pace, Plan } from './load-generator.js';
import { GATEWAY_STEPS, type GatewayStep, type WalkKind } from './login-walk.js';
import { givePasskeys } from './passkeys.js';
import { weighPage, type Part } from './page-weight.js';
import type { RawHashing } from './raw-hashing.js';
import { countSteps, type StepCounts } from './step-counts.js';
import type { Worker } from './worker.js';

export interface Amounts {
  hashes: number;
  /** Logins before the first measurement: V8 compiles what is used some hundred times, and gateways run for weeks. */
  warmUp: number;
  /** Before people of two kinds are compared, of each kind. */
  comparedWarmUp: number;
  logins: number;
  /** Per step, for the breakdown. */
  staged: number;
  pages: number;
  paints: number;
  calls: number;
}

/** CPU of the gateway for one of what was done. */
export interface Cost {
  allMs: number;
  poolMs?: number;
  mainMs?: number;
  mainKernelMs?: number;
}

/** Logins of people of another kind, and of people with a password here at the same gateway. */
type Compared = Record<'there' | 'local', Pace & { cost: Cost }>;

export interface Measured {
  machine: string;
  raw: RawHashing;
  logins: Record<WalkKind, Pace & { cost: Cost }>;
  /** The cost of each step of a login with consent. */
  steps: Partial<Record<GatewayStep, Cost>>;
  counts: StepCounts;
  loginPage: Pace & { cost: Cost };
  manageCalls: Record<ManageCallKind, Pace & { cost: Cost }>;
  /** Logins of people of each source and of people with a password here, at the same gateway. LDAP is missing where no directory is installed. */
  sourceLogins: ({ source: 'LDAP (TLS)' | 'HTTP' } & Compared)[];
  /** By passkey and by password, with `skip_consent`, of the same steps one after the other; null without PostgreSQL. */
  passkeyLogins: Compared | null;
  weight: Part[];
  paint: FirstPaint | { missing: string };
  memory: { idleBytes: number; afterLoadBytes: number };
  ready: { firstMs: number; againMs: number };
}

const CONCURRENCY = 8;
const CONNECTIONS = 20;

/** The load generator and the hashing are processes; both are started once. */
interface Tools {
  load: Worker;
  hashing: Worker;
}

export interface Bench {
  installation: Installation;
  amounts: Amounts;
  /** Where a CPU profile of the logins goes; null without one. */
  profile: string | null;
  say: (line: string) => void;
}

export async function measureAll(bench: Bench): Promise<Measured> {
  const { installation, amounts, say } = bench;
  await installation.start();
  say('first start …');
  const { readyMs: firstMs } = await installation.startGateway();
  await installation.createPeople();
  await installation.stopGateway();
  say('counting …');
  const counts = await countSteps(installation);
  const gateway = await installation.startGateway();
  const { rssBytes: idleBytes } = await gateway.usage();
  const tools: Tools = { load: installation.worker('load'), hashing: installation.worker('hashing') };
  const plan: Plan = { routes: installation.routes, people: installation.people, concurrency: CONCURRENCY };
  await tools.load.ask('plan', plan);
  say('warming up …');
  await tools.load.ask('wholeLogins', { count: amounts.warmUp, kind: 'consent' });
  await tools.load.ask('wholeLogins', { count: Math.ceil(amounts.warmUp / 4), kind: 'skipConsent' });
  say('logins …');
  const { raw, logins } = await measureLogins(bench, gateway, tools);
  const steps = await measureSteps(bench, gateway, tools.load);
  const manageCalls = await measureManageCalls(bench, gateway, tools.load);
  say('login page …');
  const [warmUp, paints] = [Math.ceil(amounts.pages / 4), amounts.paints + 1];
  const urls = await tools.load.ask<string[]>('setOut', warmUp + amounts.pages + 1 + paints);
  await tools.load.ask('pages', { urls: urls.splice(0, warmUp), connections: CONNECTIONS });
  const loads = { urls: urls.splice(0, amounts.pages), connections: CONNECTIONS };
  const loginPage = await withCost(gateway, () => tools.load.ask<Pace>('pages', loads));
  const { rssBytes: afterLoadBytes } = await gateway.usage();
  const weight = await weighPage(urls.shift() ?? '');
  say('first paint …');
  const paint = await measurePaint(urls);
  const memory = { idleBytes, afterLoadBytes };
  const passkeyLogins = await measurePasskeys(bench, gateway, tools.load);
  const sourceLogins = await measureSources(bench, tools.load);
  return {
    machine: machine(),
    raw,
    logins,
    steps,
    counts,
    loginPage,
    manageCalls,
    passkeyLogins,
    sourceLogins,
    weight,
    paint,
    memory,
    ready: { firstMs, againMs: gateway.readyMs },
  };
}

/** Hashing before and after, because the machine is not the same all the time. */
async function measureLogins({ amounts, profile }: Bench, gateway: GatewayProcess, { load, hashing }: Tools) {
  const hash = (): Promise<RawHashing> => hashing.ask('hash', { count: amounts.hashes, concurrency: CONCURRENCY });
  await hash();
  const before = await hash();
  const walk = (kind: WalkKind, count: number): Promise<Pace & { cost: Cost }> =>
    withCost(gateway, () => load.ask<Pace>('wholeLogins', { count, kind }));
  const consent = await walk('consent', amounts.logins);
  const logins = { consent, skipConsent: await walk('skipConsent', Math.ceil(amounts.logins / 2)) };
  const after = await hash();
  if (profile !== null) {
    // A round of its own, because sampling costs too.
    await gateway.startProfile();
    await load.ask('wholeLogins', { count: amounts.staged, kind: 'consent' });
    await gateway.stopProfile(profile);
  }
  const mean = (key: keyof RawHashing): number => (before[key] + after[key]) / 2;
  return { logins, raw: { perSecond: mean('perSecond'), cpuMsEach: mean('cpuMsEach') } };
}

async function measureSteps({ amounts, say }: Bench, gateway: GatewayProcess, load: Worker): Promise<Measured['steps']> {
  say('steps …');
  await load.ask('setOut', amounts.staged);
  const costs: [GatewayStep, Cost][] = [];
  for (const step of GATEWAY_STEPS.consent) {
    const { cost } = await withCost(gateway, () => load.ask<Pace>('ask', step));
    costs.push([step, cost]);
    await load.ask('goOn', step);
  }
  return Object.fromEntries(costs);
}

async function measureManageCalls(
  { amounts, say }: Bench,
  gateway: GatewayProcess,
  load: Worker,
): Promise<Measured['manageCalls']> {
  say('calls of the account area …');
  await load.ask('openManageWalks', null);
  const measureCalls = (kind: ManageCallKind, count: number): Promise<Pace & { cost: Cost }> =>
    withCost(gateway, () => load.ask<Pace>('manageCalls', { count, kind }));
  await measureCalls('rotating', Math.ceil(amounts.calls / 4));
  const rotating = await measureCalls('rotating', amounts.calls);
  return {
    rotating,
    repeated: await measureCalls('repeated', amounts.calls),
    refused: await measureCalls('refused', amounts.calls),
  };
}

async function measurePasskeys(
  { installation, amounts, say }: Bench,
  gateway: GatewayProcess,
  load: Worker,
): Promise<Measured['passkeyLogins']> {
  if (!installation.cluster) return null;
  say('logins by passkey …');
  const { people } = installation;
  const half = people.length / 2;
  const there = await givePasskeys(installation.cluster, people.slice(half));
  return measureSourceLogins({ there, local: people.slice(0, half) }, { installation, amounts }, { gateway, load });
}

/** On gateways of their own: the others do without sources. */
async function measureSources({ installation, amounts, say }: Bench, load: Worker): Promise<Measured['sourceLogins']> {
  const measured: Measured['sourceLogins'] = [];
  const directory = await installation.startDirectory();
  for (const [source, started] of [
    ['LDAP (TLS)', directory],
    ['HTTP', await installation.startService()],
  ] as const) {
    if (!started) continue;
    say(`logins of people of a source over ${source} …`);
    await installation.stopGateway();
    const gateway = await installation.startGateway(started.settings);
    const people = { there: started.people, local: installation.people };
    measured.push({ source, ...(await measureSourceLogins(people, { installation, amounts }, { gateway, load })) });
  }
  return measured;
}

async function measureSourceLogins(
  { there, local }: Record<keyof Compared, Plan['people']>,
  { installation, amounts }: Pick<Bench, 'installation' | 'amounts'>,
  { gateway, load }: { gateway: GatewayProcess; load: Worker },
): Promise<Compared> {
  const logins = async (people: Plan['people'], count: number): Promise<Pace & { cost: Cost }> => {
    await load.ask('plan', { routes: installation.routes, people, concurrency: CONCURRENCY } satisfies Plan);
    return withCost(gateway, () => load.ask<Pace>('wholeLogins', { count, kind: 'skipConsent' }));
  };
  for (const people of [there, local]) await logins(people, amounts.comparedWarmUp);
  return { local: await logins(local, amounts.logins), there: await logins(there, amounts.logins) };
}

async function withCost(gateway: GatewayProcess, work: () => Promise<Pace>): Promise<Pace & { cost: Cost }> {
  const before = await gateway.usage();
  const pace = await work();
  const after = await gateway.usage();
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

/** Straight to the gateway's listener: no proxy stands there, and Chromium would want its certificate. */
async function measurePaint(addresses: readonly string[]): Promise<Measured['paint']> {
  const urls = addresses.map((address) => {
    const { port, pathname, search } = new URL(address);
    return `http://127.0.0.1:${port}${pathname}${search}`;
  });
  return firstPaint(urls).catch((error: unknown) => ({
    missing: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error),
  }));
}

function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} × ${cpu?.model ?? 'unknown CPU'}, Node ${process.version}`;
}
