/** Builds a table from the measurements: the name, the value, the value in hashes, and the target. */
import { MAX_BYTES, MAX_REQUESTS, sum, sumLimits, type CountsAndWeight } from './count-limits.js';
import type { Cost, Measurements } from './measure.js';
import { GATEWAY_STEPS, type GatewayStep, type WalkKind } from './login-walk.js';
import type { StepCount } from './step-counts.js';

export interface Row {
  name: string;
  value: string;
  /** The CPU time as a multiple of one raw hash. Unlike the time, the ratio does not depend on the speed of the machine. */
  hashes?: string;
  target?: string;
}

const STEP_NAMES: Record<GatewayStep, string> = {
  loginPage: 'GET /login',
  login: 'POST /login/native',
  consentPage: 'GET /consent',
  consent: 'POST /consent/accept',
  skippedConsent: 'GET /consent, skipped',
};
const WALK_NAMES: Record<WalkKind, string> = { consent: 'consent asked', skipConsent: 'skip_consent' };

export const formatMs = (value: number): string => `${value.toFixed(2)} ms`;
const formatWholeMs = (value: number): string => `${Math.round(value)} ms`;
const formatMib = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
const formatKb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
const formatRate = (value: number): string => `${value.toFixed(1)} /s`;

/** Subtracts the hash: the measured time of the thread pool, or the cost of a raw hash if threads are not measured separately. */
function subtractHashMs({ allMs, poolMs }: Cost, rawMs: number): number {
  return allMs - (poolMs ?? rawMs);
}

/** @param hashMs CPU time of one raw hash */
export const toCpuRow = (name: string, milliseconds: number, hashMs: number): Row => ({
  name,
  value: formatMs(milliseconds),
  hashes: (milliseconds / hashMs).toFixed(3),
});

/** The rows that do not depend on how much was measured. */
export function toCountRows(measured: CountsAndWeight): Row[] {
  return [...buildCountRows(measured), ...buildWeightRows(measured)];
}

export function toRows(measured: Measurements): Row[] {
  const buildCpuRow: BuildCpuRow = (name, milliseconds, target = '') => ({
    ...toCpuRow(name, milliseconds, measured.raw.cpuMsEach),
    target,
  });
  return [
    ...buildLoginRows(measured, buildCpuRow),
    ...buildPasskeyRows(measured, buildCpuRow),
    ...buildSourceRows(measured, buildCpuRow),
    ...buildSinkRows(measured, buildCpuRow),
    ...buildCountRows(measured),
    ...buildManageRows(measured, buildCpuRow),
    ...buildRefreshRows(measured, buildCpuRow),
    ...buildPageRows(measured, buildCpuRow),
    ...buildProcessRows(measured),
  ];
}

type BuildCpuRow = (name: string, milliseconds: number, target?: string) => Row;

function buildLoginRows({ raw, logins, steps }: Measurements, buildCpuRow: BuildCpuRow): Row[] {
  const { consent, skipConsent } = logins;
  const { cost } = consent;
  const perSecond = consent.count / consent.seconds;
  const { mainMs, mainKernelMs = 0, poolMs } = cost;
  const splits =
    mainMs === undefined || poolMs === undefined
      ? []
      : [
          buildCpuRow('  of this, the main thread', mainMs, '≤ 0.5 of a hash'),
          buildCpuRow('    in system calls', mainKernelMs),
          buildCpuRow('  other threads that do not hash', cost.allMs - mainMs - poolMs),
        ];
  return [
    { name: 'raw argon2id, 8 in flight', value: formatRate(raw.perSecond) },
    buildCpuRow('  CPU of one hash', raw.cpuMsEach),
    { name: 'whole logins, consent asked, 8 at a time', value: formatRate(perSecond) },
    { name: '  in proportion to the raw hashing rate', value: `${((perSecond / raw.perSecond) * 100).toFixed(0)} %` },
    {
      name: '  duration, median and 95th percentile',
      value: `${formatWholeMs(consent.medianMs)}, ${formatWholeMs(consent.p95Ms)}`,
    },
    { name: 'whole logins, skip_consent, 8 at a time', value: formatRate(skipConsent.count / skipConsent.seconds) },
    buildCpuRow('gateway CPU of a whole login, skip_consent', skipConsent.cost.allMs),
    buildCpuRow('  beyond the hash', subtractHashMs(skipConsent.cost, raw.cpuMsEach)),
    buildCpuRow('gateway CPU of a whole login, consent asked', cost.allMs),
    buildCpuRow('  beyond the hash', subtractHashMs(cost, raw.cpuMsEach)),
    ...splits,
    ...GATEWAY_STEPS.consent.map((step) => {
      const own = steps[step] ?? { allMs: 0 };
      const row = buildCpuRow(`  ${STEP_NAMES[step]}`, step === 'login' ? subtractHashMs(own, raw.cpuMsEach) : own.allMs);
      return step === 'login' ? { ...row, name: `${row.name}, beyond the hash` } : row;
    }),
  ];
}

/** A login with a passkey does not hash. It is compared with the cost of a login with a password without the hash. */
function buildPasskeyRows({ passkeyLogins, raw }: Measurements, buildCpuRow: BuildCpuRow): Row[] {
  if (!passkeyLogins) return [];
  const { other, local } = passkeyLogins;
  const beyond = subtractHashMs(local.cost, raw.cpuMsEach);
  return [
    { name: 'whole logins with a passkey, skip_consent, 8 at a time', value: formatRate(other.count / other.seconds) },
    buildCpuRow('  gateway CPU of one', other.cost.allMs),
    buildCpuRow('  of a login with a password, beyond the hash', beyond),
    { name: '  ratio of the two', value: (other.cost.allMs / beyond).toFixed(2), target: '≤ 0.6' },
  ];
}

/** Without sinks, a login is what it is at the other gateways. */
function buildSinkRows({ sinkLogins, raw }: Measurements, buildCpuRow: BuildCpuRow): Row[] {
  const { without, with: sent } = sinkLogins;
  return [
    { name: 'whole logins without an event sink, skip_consent', value: formatRate(without.count / without.seconds) },
    buildCpuRow('  gateway CPU of one, beyond the hash', subtractHashMs(without.cost, raw.cpuMsEach)),
    { name: 'whole logins with an event sink that gets all events', value: formatRate(sent.count / sent.seconds) },
    buildCpuRow('  gateway CPU of one, beyond the hash', subtractHashMs(sent.cost, raw.cpuMsEach)),
  ];
}

/** Logins of people of a user source do not hash either. A source over HTTP needs two signed questions. */
function buildSourceRows({ sourceLogins, raw }: Measurements, buildCpuRow: BuildCpuRow): Row[] {
  return sourceLogins.flatMap(({ source, other, local }) => {
    const beyond = subtractHashMs(local.cost, raw.cpuMsEach);
    return [
      { name: `whole logins over ${source}, skip_consent, 8 at a time`, value: formatRate(other.count / other.seconds) },
      buildCpuRow('  gateway CPU of one', other.cost.allMs),
      buildCpuRow('  of a login with a password here, beyond the hash', beyond),
      {
        name: '  ratio of the two',
        value: (other.cost.allMs / beyond).toFixed(2),
        ...(source === 'HTTP' ? {} : { target: '≤ 1' }),
      },
    ];
  });
}

function buildCountRows({ counts }: CountsAndWeight): Row[] {
  const pair = (statements: number, calls: number): string => `${statements} statements, ${calls} calls`;
  return (Object.keys(counts) as WalkKind[]).flatMap((kind) => {
    const limits = sumLimits(kind);
    const sumLengths = (key: 'statements' | 'calls'): number => sum(counts[kind].map((count: StepCount) => count[key].length));
    return [
      {
        name: `a whole login, ${WALK_NAMES[kind]}`,
        value: pair(sumLengths('statements'), sumLengths('calls')),
        target: `≤ ${limits.statements}, ≤ ${limits.calls}`,
      },
      ...counts[kind].map(({ step, statements, calls }) => ({
        name: `  ${STEP_NAMES[step]}`,
        value: pair(statements.length, calls.length),
      })),
    ];
  });
}

/** A repeated token is checked and not renewed, so the difference is the cost of the rotation. */
function buildManageRows({ manageCalls: { rotating, repeated, refused } }: Measurements, buildCpuRow: BuildCpuRow): Row[] {
  const rotation = rotating.cost.allMs - repeated.cost.allMs;
  return [
    { name: 'calls of the account area, 8 sessions', value: formatRate(rotating.count / rotating.seconds) },
    buildCpuRow('  CPU of one, each with a new token', rotating.cost.allMs),
    buildCpuRow('  with the same token again', repeated.cost.allMs),
    buildCpuRow('  refused, without a token', refused.cost.allMs),
    { name: '  share of the rotation in a call', value: `${((rotation / rotating.cost.allMs) * 100).toFixed(0)} %` },
  ];
}

function buildRefreshRows({ refreshes }: Measurements, buildCpuRow: BuildCpuRow): Row[] {
  return [
    { name: 'token hook at a refresh, 8 at a time', value: formatRate(refreshes.count / refreshes.seconds) },
    buildCpuRow('  CPU of one', refreshes.cost.allMs),
  ];
}

function buildWeightRows({ weight }: CountsAndWeight): Row[] {
  const bytes = (some: typeof weight, key: 'wireBytes' | 'rawBytes'): number => sum(some.map((part) => part[key]));
  const kinds = [...new Set(weight.map(({ kind }) => kind))].map((kind) => ({
    kind,
    parts: weight.filter((part) => part.kind === kind),
  }));
  return [
    {
      name: 'login page over the wire',
      value: `${formatKb(bytes(weight, 'wireBytes'))} in ${weight.length} requests`,
      target: `≤ ${formatKb(MAX_BYTES)}, ${MAX_REQUESTS}`,
    },
    ...kinds.map(({ kind, parts }) => ({
      name: `  ${kind}${parts.length > 1 ? ` (${parts.length})` : ''}`,
      value: `${formatKb(bytes(parts, 'wireBytes'))} (${formatKb(bytes(parts, 'rawBytes'))} unpacked)`,
    })),
  ];
}

function buildPageRows(measured: Measurements, buildCpuRow: BuildCpuRow): Row[] {
  const { loginPage, paint } = measured;
  return [
    { name: 'login page, 20 connections', value: formatRate(loginPage.count / loginPage.seconds) },
    buildCpuRow('  CPU of one', loginPage.cost.allMs, '≤ 0.082 of a hash'),
    ...buildWeightRows(measured),
    ...('missing' in paint
      ? [{ name: 'first paint, slow 4G, CPU 4 times slower', value: `not measured: ${paint.missing}` }]
      : [
          { name: 'first paint, slow 4G, CPU 4 times slower', value: formatWholeMs(paint.paintMs), target: '< 700 ms' },
          { name: '  first contentful paint', value: formatWholeMs(paint.contentfulMs) },
          { name: '  page is hydrated', value: formatWholeMs(paint.readyMs) },
          { name: '  counted by the browser', value: `${formatKb(paint.wireBytes)} with headers, ${paint.requests} requests` },
        ]),
  ];
}

function buildProcessRows({ memory, ready }: Measurements): Row[] {
  return [
    { name: 'gateway memory, idle', value: formatMib(memory.idleBytes), target: '≤ 130 MiB' },
    { name: 'gateway memory, after the load', value: formatMib(memory.afterLoadBytes), target: '≤ 160 MiB' },
    { name: 'start to ready, empty database', value: formatWholeMs(ready.firstMs) },
    { name: 'start to ready, existing database', value: formatWholeMs(ready.againMs) },
  ];
}

export function buildTable(rows: readonly Row[]): string {
  const heading: Row = { name: '', value: '', hashes: 'in hashes' };
  const all = rows.some(({ hashes }) => hashes !== undefined) ? [heading, ...rows] : rows;
  const width = (key: keyof Row): number => Math.max(...all.map((row) => row[key]?.length ?? 0));
  const [names, values, multiples] = [width('name'), width('value'), width('hashes')];
  return all
    .map(({ name, value, hashes = '', target = '' }) =>
      `${name.padEnd(names)}  ${value.padEnd(values)}  ${hashes.padEnd(multiples)}  ${target === '' ? '' : `target ${target}`}`.trimEnd(),
    )
    .join('\n');
}
