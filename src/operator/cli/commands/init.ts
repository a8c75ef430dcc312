/**
 * Prepares Foyer for an existing Hydra: writes a file of settings with new secrets, and prints the settings that Hydra needs.
 * Foyer need not be running. Without --json, standard output contains only the settings for Hydra, so that it can be redirected to a file.
 */
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { defined } from '../../../config/defined.js';
import { SystemClock } from '../../../config/clock.js';
import { hasCapability } from '../../../hydra/versions.js';
import type { Finding } from '../../doctor/finding.js';
import { CliFailure, EXIT, buildUsageFailure } from '../cli-failure.js';
import type { Call, Command } from '../command.js';
import { formatEnvFile, isPlain, buildExistsFailure, writeNewFile } from '../init/env-file.js';
import type { FirstSettings } from '../init/first-settings.js';
import {
  UPSTREAM_FORMATS,
  buildUpstreamSettings,
  formatUpstreamSettings,
  type UpstreamFormat,
} from '../init/upstream-settings.js';

const FILE = 'foyer.env';

export const init: Command = {
  name: 'init',
  about: 'write the settings of a new Foyer to a file, and print the settings for Hydra',
  operands: [],
  options: {
    'public-url': {
      value: 'URL',
      about: 'public origin of Foyer; https, or http://localhost for a test; required, unless PUBLIC_URL is set',
    },
    'hydra-public-url': { value: 'URL', about: "Hydra's public address (its issuer); required, unless HYDRA_PUBLIC_URL is set" },
    'hydra-admin-url': { value: 'URL', about: "Hydra's admin API, without /admin; required, unless HYDRA_ADMIN_URL is set" },
    'console-url': {
      value: 'URL',
      about:
        'public origin of the console for operators, on a different host name than --public-url; default: CONSOLE_URL, or no console',
    },
    'token-hook-url': {
      value: 'URL',
      about: 'origin at which Hydra reaches the port of the operator API, for the token hook; default: no token hook',
    },
    'database-url': {
      value: 'URL',
      about: 'address of PostgreSQL without a password; if the address has a password, set DATABASE_URL instead',
    },
    port: { value: 'NUMBER', about: 'port on which Foyer listens; default: PORT, the port of an http --public-url, or 3000' },
    'trust-proxy': { value: 'NUMBER', about: 'number of proxies in front of Foyer; default: TRUST_PROXY, or 1 with https' },
    out: { value: 'FILE', about: `file to write, which must not exist; default: ${FILE}` },
    format: { value: 'FORMAT', about: "format of Hydra's settings: env (default), yaml or helm" },
    offline: { about: 'do not contact Hydra' },
  },
  async run(call) {
    const { options, terminal } = call;
    const path = options.text('out') ?? FILE;
    const format = findFormat(call);
    if (existsSync(path)) throw buildExistsFailure(path);
    const { buildFirstSettings } = await import('../init/first-settings.js');
    const firstSettings = buildFirstSettings(options, terminal.env);
    const text = formatEnvFile(firstSettings.settings);
    const { findings, hasDevices } = options.has('offline')
      ? { findings: [], hasDevices: true }
      : await inspectHydra(firstSettings);
    writeNewFile(path, text);
    const { publicUrl, tokenHook, missingNames, copiedNames, choices } = firstSettings;
    const target = { origin: publicUrl, hasDevices, ...defined({ tokenHook }) };
    const { summary, advice } = buildNotes(path, firstSettings, findings);
    if (!options.has('json')) summary.forEach((line) => call.warn(line));
    const hydra = buildUpstreamSettings(target);
    call.print({ file: path, hydra, missing: missingNames, taken_over: copiedNames, chosen: choices, findings }, () =>
      formatUpstreamSettings(format, target),
    );
    if (!options.has('json')) advice.forEach((line) => call.warn(line));
    return true;
  },
};

function findFormat({ options }: Call): UpstreamFormat {
  const name = options.text('format') ?? 'env';
  const format = UPSTREAM_FORMATS.find((item) => item === name);
  if (format === undefined) throw buildUsageFailure(`--format accepts ${UPSTREAM_FORMATS.join(', ')}.`);
  return format;
}

interface HydraInspection {
  findings: Finding[];
  /** Whether this Hydra has device authorization. */
  hasDevices: boolean;
}

/** @throws CliFailure with all faults, before anything is written */
async function inspectHydra({ settings }: FirstSettings): Promise<HydraInspection> {
  const [{ Examination }, { upstreamCheck }] = await Promise.all([
    import('../../doctor/examination.js'),
    import('../../doctor/checks/upstream.check.js'),
  ]);
  const failure = { code: 'unreachable', explanation: 'Foyer is not running yet.' };
  const examination = new Examination({ env: settings, clock: new SystemClock(), requestHealth: () => Promise.resolve(failure) });
  const findings = await upstreamCheck.run(examination);
  const faults = findings.filter(({ level }) => level === 'fault').map(({ what, fix = '' }) => `${what} ${fix}`);
  const { admin } = (await examination.upstream()).inspection;
  const version = admin.state === 'as-expected' ? (admin.version ?? '') : '';
  if (faults.length === 0) return { findings, hasDevices: hasCapability(version, 'deviceFlow') };
  const advice = 'Nothing was written. Use --offline to skip this check.';
  throw new CliFailure(EXIT.failure, 'hydra', [...faults, advice].join(' '));
}

interface Notes {
  /** Lines before the settings for Hydra. */
  summary: string[];
  /** Lines after the settings for Hydra. */
  advice: string[];
}

function buildNotes(
  path: string,
  { settings, console, tokenHook, missingNames, copiedNames, choices, warnings }: FirstSettings,
  findings: readonly Finding[],
): Notes {
  const file = quoteForShell(isAbsolute(path) || /^\.\.?\//.test(path) ? path : `./${path}`);
  const quotedNames = Object.keys(settings).filter((name) => !isPlain(settings[name] ?? ''));
  return {
    summary: [
      `The settings with new secrets were written to ${path}, which only you can read.`,
      ...(copiedNames.length > 0 ? [`Copied from the environment: ${copiedNames.join(', ')}.`] : []),
      ...(choices.length > 0 ? [`Chosen for a new installation (edit ${path} to change this): ${choices.join('; ')}.`] : []),
      ...findings.map(({ what, fix }) => (fix === undefined ? what : `${what} ${fix}`)),
      ...warnings.map((warning) => `warning: ${warning}`),
      ...(quotedNames.length > 0
        ? [`These values are in quotes, which docker run --env-file does not support: ${quotedNames.join(', ')}.`]
        : []),
      ...missingNames.map((name) => `Add ${name} to ${path}: Foyer does not start without it.`),
      '',
    ],
    advice: [
      '',
      'Set the settings on standard output in Hydra, and restart Hydra.',
      'Then start Foyer:',
      `  set -a; . ${file}; set +a`,
      '  npm run serve',
      'In another terminal, create an account and check the installation:',
      `  set -a; . ${file}; set +a`,
      '  npm run foyer -- account create --username NAME --password-generate',
      ...(console === undefined ? [] : ['  npm run foyer -- operator grant NAME admin']),
      '  npm run foyer -- doctor',
      ...(console === undefined ? [] : describeConsole(console)),
      ...(tokenHook === undefined
        ? []
        : [`Hydra must reach the port of the operator API at ${tokenHook.origin}: otherwise it issues no tokens.`]),
    ],
  };
}

function describeConsole({ url, listener }: NonNullable<FirstSettings['console']>): string[] {
  const { protocol, host } = new URL(url);
  return [
    `The console is then at ${url}/console/, for operators: foyer operator grant makes an account an operator.`,
    ...(protocol === 'http:'
      ? []
      : [
          `Route ${host} to the operator API at ${listener} (if the proxy runs on another machine, set OPERATOR_HOST), never to the sign-in pages.`,
          'Hydra ends sessions of the console through this address. If Hydra cannot reach it, set CONSOLE_BACKCHANNEL_URL.',
        ]),
  ];
}

function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
