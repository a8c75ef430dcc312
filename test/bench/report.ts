/** From measurements to rows that people read: what was measured, its value, what was aimed at. */
import type { Cost, Measured } from './measure.js';
import { GATEWAY_STEPS } from './login-walk.js';
import type { GatewayStep } from './login-walk.js';

export interface Row {
  name: string;
  value: string;
  aim?: string;
}

const STEP_NAMES: Record<GatewayStep, string> = {
  loginPage: 'GET /login',
  login: 'POST /login/native',
  consentPage: 'GET /consent',
  consent: 'POST /consent/accept',
};

const ms = (value: number): string => `${value.toFixed(2)} ms`;
const whole = (value: number): string => `${Math.round(value)} ms`;
const mib = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
const kb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
const rate = (value: number): string => `${value.toFixed(1)} /s`;

/** Without the hash: exactly where the threads are told apart, else by the price of a raw hash. */
function beyondHashMs({ allMs, poolMs }: Cost, rawMs: number): number {
  return allMs - (poolMs ?? rawMs);
}

export function rowsOf(measured: Measured): Row[] {
  return [...loginRows(measured), ...manageRows(measured), ...pageRows(measured), ...processRows(measured)];
}

function loginRows({ raw, logins, steps }: Measured): Row[] {
  const { cost } = logins;
  const perSecond = logins.count / logins.seconds;
  const splits =
    cost.mainMs === undefined
      ? []
      : [{ name: '  of it the main thread', value: `${ms(cost.mainMs)}, ${ms(cost.mainKernelMs ?? 0)} in system calls` }];
  return [
    { name: 'raw argon2id, 8 in flight', value: rate(raw.perSecond) },
    { name: '  CPU of one hash', value: ms(raw.cpuMsEach) },
    { name: 'whole logins, consent included, 8 at a time', value: rate(perSecond) },
    { name: '  of the raw hashing rate', value: `${((perSecond / raw.perSecond) * 100).toFixed(0)} %` },
    { name: '  duration, median and 95 of 100', value: `${whole(logins.medianMs)}, ${whole(logins.p95Ms)}` },
    { name: 'gateway CPU of a whole login', value: ms(cost.allMs) },
    { name: '  less a raw hash', value: ms(cost.allMs - raw.cpuMsEach), aim: cost.poolMs === undefined ? '≤ 2 ms' : '' },
    ...(cost.poolMs === undefined
      ? []
      : [{ name: '  beyond the threads that hash', value: ms(beyondHashMs(cost, raw.cpuMsEach)), aim: '≤ 2 ms' }]),
    {
      name: '  that is, of a hash',
      value: `${((beyondHashMs(cost, raw.cpuMsEach) / raw.cpuMsEach) * 100).toFixed(0)} %`,
      aim: '≤ 25 %',
    },
    ...splits,
    ...GATEWAY_STEPS.map((step) => ({
      name: `  ${STEP_NAMES[step]}`,
      value: `${ms(steps[step].allMs)}${step === 'login' ? `, ${ms(beyondHashMs(steps[step], raw.cpuMsEach))} beyond the hash` : ''}`,
    })),
  ];
}

/** A token that comes again is looked at and not renewed; the difference is what the rotation costs. */
function manageRows({ manageCalls: { rotating, repeated, refused } }: Measured): Row[] {
  const rotation = rotating.cost.allMs - repeated.cost.allMs;
  return [
    { name: 'calls of the account area, 8 sessions', value: rate(rotating.count / rotating.seconds) },
    { name: '  CPU of one, each with a new token', value: ms(rotating.cost.allMs) },
    { name: '  with the same token again', value: ms(repeated.cost.allMs) },
    { name: '  refused, without a token', value: ms(refused.cost.allMs) },
    { name: '  the rotation, of a call', value: `${((rotation / rotating.cost.allMs) * 100).toFixed(0)} %` },
  ];
}

function pageRows({ loginPage, weight, paint }: Measured): Row[] {
  const sum = (some: typeof weight, key: 'wireBytes' | 'rawBytes'): number => some.reduce((all, part) => all + part[key], 0);
  const kinds = [...new Set(weight.map(({ kind }) => kind))].map((kind) => ({
    kind,
    parts: weight.filter((part) => part.kind === kind),
  }));
  return [
    { name: 'login page, 20 connections', value: rate(loginPage.count / loginPage.seconds) },
    { name: '  CPU of one', value: ms(loginPage.cost.allMs) },
    {
      name: 'login page over the wire',
      value: `${kb(sum(weight, 'wireBytes'))} in ${weight.length} requests`,
      aim: '< 90 kB',
    },
    ...kinds.map(({ kind, parts }) => ({
      name: `  ${kind}${parts.length > 1 ? ` (${parts.length})` : ''}`,
      value: `${kb(sum(parts, 'wireBytes'))} (${kb(sum(parts, 'rawBytes'))} unpacked)`,
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
    { name: 'gateway memory, idle', value: mib(memory.idleBytes) },
    { name: 'gateway memory, after the load', value: mib(memory.afterLoadBytes), aim: '< 160 MiB' },
    { name: 'start to ready, empty database', value: whole(ready.firstMs) },
    { name: 'start to ready, again', value: whole(ready.againMs) },
  ];
}

export function table(rows: readonly Row[]): string {
  const width = (key: keyof Row): number => Math.max(...rows.map((row) => row[key]?.length ?? 0));
  const [names, values] = [width('name'), width('value')];
  return rows
    .map(({ name, value, aim = '' }) =>
      `${name.padEnd(names)}  ${value.padEnd(values)}  ${aim === '' ? '' : `aim ${aim}`}`.trimEnd(),
    )
    .join('\n');
}
