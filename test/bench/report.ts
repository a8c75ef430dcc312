/** From measurements to rows that people read: what was measured, its value, that in hashes, what was aimed at. */
import { MOST_BYTES, MOST_REQUESTS, sum } from './count-limits.js';
import type { Cost, Measured } from './measure.js';
import { GATEWAY_STEPS, type GatewayStep, type WalkKind } from './login-walk.js';
import type { StepCount } from './step-counts.js';

export interface Row {
  name: string;
  value: string;
  /** The same CPU as a multiple of one raw hash: a machine's speed changes, the ratio stays. */
  hashes?: string;
  aim?: string;
}

const STEP_NAMES: Record<GatewayStep, string> = {
  loginPage: 'GET /login',
  login: 'POST /login/native',
  consentPage: 'GET /consent',
  consent: 'POST /consent/accept',
  skippedConsent: 'GET /consent, skipped',
};
const WALK_NAMES: Record<WalkKind, string> = { consent: 'consent asked', skipConsent: 'skip_consent' };
/** Statements and calls to Hydra of a whole sign-in. */
const AIMS: Record<WalkKind, string> = { consent: '≤ 6, ≤ 5', skipConsent: '≤ 6, ≤ 4' };

const ms = (value: number): string => `${value.toFixed(2)} ms`;
const whole = (value: number): string => `${Math.round(value)} ms`;
const mib = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
const kb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
const rate = (value: number): string => `${value.toFixed(1)} /s`;

/** Without the hash: exactly where the threads are told apart, else by the price of a raw hash. */
function beyondHashMs({ allMs, poolMs }: Cost, rawMs: number): number {
  return allMs - (poolMs ?? rawMs);
}

export function toRows(measured: Measured): Row[] {
  const cpu: CpuRow = (name, milliseconds, aim = '') => ({
    name,
    value: ms(milliseconds),
    hashes: (milliseconds / measured.raw.cpuMsEach).toFixed(3),
    aim,
  });
  return [
    ...loginRows(measured, cpu),
    ...passkeyRows(measured, cpu),
    ...sourceRows(measured, cpu),
    ...countRows(measured),
    ...manageRows(measured, cpu),
    ...pageRows(measured, cpu),
    ...processRows(measured),
  ];
}

type CpuRow = (name: string, milliseconds: number, aim?: string) => Row;

function loginRows({ raw, logins, steps }: Measured, cpu: CpuRow): Row[] {
  const { consent, skipConsent } = logins;
  const { cost } = consent;
  const perSecond = consent.count / consent.seconds;
  const { mainMs, mainKernelMs = 0, poolMs } = cost;
  const splits =
    mainMs === undefined || poolMs === undefined
      ? []
      : [
          cpu('  of it the main thread', mainMs, '≤ 0.5 of a hash'),
          cpu('    in system calls', mainKernelMs),
          cpu('  other threads that do not hash', cost.allMs - mainMs - poolMs),
        ];
  return [
    { name: 'raw argon2id, 8 in flight', value: rate(raw.perSecond) },
    cpu('  CPU of one hash', raw.cpuMsEach),
    { name: 'whole logins, consent asked, 8 at a time', value: rate(perSecond) },
    { name: '  of the raw hashing rate', value: `${((perSecond / raw.perSecond) * 100).toFixed(0)} %` },
    { name: '  duration, median and 95 of 100', value: `${whole(consent.medianMs)}, ${whole(consent.p95Ms)}` },
    { name: 'whole logins, skip_consent, 8 at a time', value: rate(skipConsent.count / skipConsent.seconds) },
    cpu('gateway CPU of a whole login, skip_consent', skipConsent.cost.allMs),
    cpu('  beyond the hash', beyondHashMs(skipConsent.cost, raw.cpuMsEach)),
    cpu('gateway CPU of a whole login, consent asked', cost.allMs),
    cpu('  beyond the hash', beyondHashMs(cost, raw.cpuMsEach)),
    ...splits,
    ...GATEWAY_STEPS.consent.map((step) => {
      const own = steps[step] ?? { allMs: 0 };
      const row = cpu(`  ${STEP_NAMES[step]}`, step === 'login' ? beyondHashMs(own, raw.cpuMsEach) : own.allMs);
      return step === 'login' ? { ...row, name: `${row.name}, beyond the hash` } : row;
    }),
  ];
}

/** It hashes nothing: it is compared with what a login with a password costs beyond the hash, at the same time. */
function passkeyRows({ passkeyLogins, raw }: Measured, cpu: CpuRow): Row[] {
  if (!passkeyLogins) return [];
  const { there, local } = passkeyLogins;
  const beyond = beyondHashMs(local.cost, raw.cpuMsEach);
  return [
    { name: 'whole logins by passkey, skip_consent, 8 at a time', value: rate(there.count / there.seconds) },
    cpu('  gateway CPU of one', there.cost.allMs),
    cpu('  of a login with a password, beyond the hash', beyond),
    { name: '  the one of the other', value: (there.cost.allMs / beyond).toFixed(2), aim: '≤ 0.6' },
  ];
}

/** The same holds for people of a source. HTTP signs two questions. */
function sourceRows({ sourceLogins, raw }: Measured, cpu: CpuRow): Row[] {
  return sourceLogins.flatMap(({ source, there, local }) => {
    const beyond = beyondHashMs(local.cost, raw.cpuMsEach);
    return [
      { name: `whole logins by ${source}, skip_consent, 8 at a time`, value: rate(there.count / there.seconds) },
      cpu('  gateway CPU of one', there.cost.allMs),
      cpu('  of a login with a password here, beyond the hash', beyond),
      {
        name: '  the one of the other',
        value: (there.cost.allMs / beyond).toFixed(2),
        ...(source === 'HTTP' ? {} : { aim: '≤ 1' }),
      },
    ];
  });
}

function countRows({ counts }: Measured): Row[] {
  const pair = (statements: number, calls: number): string => `${statements} statements, ${calls} calls`;
  return (Object.keys(counts) as WalkKind[]).flatMap((kind) => {
    const sumLengths = (key: 'statements' | 'calls'): number => sum(counts[kind].map((count: StepCount) => count[key].length));
    return [
      { name: `a whole login, ${WALK_NAMES[kind]}`, value: pair(sumLengths('statements'), sumLengths('calls')), aim: AIMS[kind] },
      ...counts[kind].map(({ step, statements, calls }) => ({
        name: `  ${STEP_NAMES[step]}`,
        value: pair(statements.length, calls.length),
      })),
    ];
  });
}

/** A token that comes again is looked at and not renewed; the difference is what the rotation costs. */
function manageRows({ manageCalls: { rotating, repeated, refused } }: Measured, cpu: CpuRow): Row[] {
  const rotation = rotating.cost.allMs - repeated.cost.allMs;
  return [
    { name: 'calls of the account area, 8 sessions', value: rate(rotating.count / rotating.seconds) },
    cpu('  CPU of one, each with a new token', rotating.cost.allMs),
    cpu('  with the same token again', repeated.cost.allMs),
    cpu('  refused, without a token', refused.cost.allMs),
    { name: '  the rotation, of a call', value: `${((rotation / rotating.cost.allMs) * 100).toFixed(0)} %` },
  ];
}

function pageRows({ loginPage, weight, paint }: Measured, cpu: CpuRow): Row[] {
  const bytes = (some: typeof weight, key: 'wireBytes' | 'rawBytes'): number => sum(some.map((part) => part[key]));
  const kinds = [...new Set(weight.map(({ kind }) => kind))].map((kind) => ({
    kind,
    parts: weight.filter((part) => part.kind === kind),
  }));
  return [
    { name: 'login page, 20 connections', value: rate(loginPage.count / loginPage.seconds) },
    cpu('  CPU of one', loginPage.cost.allMs, '≤ 0.082 of a hash'),
    {
      name: 'login page over the wire',
      value: `${kb(bytes(weight, 'wireBytes'))} in ${weight.length} requests`,
      aim: `≤ ${kb(MOST_BYTES)}, ${MOST_REQUESTS}`,
    },
    ...kinds.map(({ kind, parts }) => ({
      name: `  ${kind}${parts.length > 1 ? ` (${parts.length})` : ''}`,
      value: `${kb(bytes(parts, 'wireBytes'))} (${kb(bytes(parts, 'rawBytes'))} unpacked)`,
    })),
    ...('missing' in paint
      ? [{ name: 'first paint, slow 4G, CPU 4 times slower', value: `not measured: ${paint.missing}` }]
      : [
          { name: 'first paint, slow 4G, CPU 4 times slower', value: whole(paint.paintMs), aim: '< 700 ms' },
          { name: '  first contentful paint', value: whole(paint.contentfulMs) },
          { name: '  script has taken over', value: whole(paint.readyMs) },
          { name: '  as the browser counts', value: `${kb(paint.wireBytes)} with headers, ${paint.requests} requests` },
        ]),
  ];
}

function processRows({ memory, ready }: Measured): Row[] {
  return [
    { name: 'gateway memory, idle', value: mib(memory.idleBytes), aim: '≤ 130 MiB' },
    { name: 'gateway memory, after the load', value: mib(memory.afterLoadBytes), aim: '≤ 160 MiB' },
    { name: 'start to ready, empty database', value: whole(ready.firstMs) },
    { name: 'start to ready, again', value: whole(ready.againMs) },
  ];
}

export function table(rows: readonly Row[]): string {
  const heading: Row = { name: '', value: '', hashes: 'in hashes' };
  const all = rows.some(({ hashes }) => hashes !== undefined) ? [heading, ...rows] : rows;
  const width = (key: keyof Row): number => Math.max(...all.map((row) => row[key]?.length ?? 0));
  const [names, values, multiples] = [width('name'), width('value'), width('hashes')];
  return all
    .map(({ name, value, hashes = '', aim = '' }) =>
      `${name.padEnd(names)}  ${value.padEnd(values)}  ${hashes.padEnd(multiples)}  ${aim === '' ? '' : `aim ${aim}`}`.trimEnd(),
    )
    .join('\n');
}
