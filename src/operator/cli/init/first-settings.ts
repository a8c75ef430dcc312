/**
 * Builds the settings of a new installation from options, the environment and generated secrets. Validates them as the start of a
 * gateway does, so that the file contains no value that the start would refuse.
 */
import type { Config } from '../../../config/config.js';
import { defined } from '../../../config/defined.js';
import { randomToken } from '../../../config/keys.js';
import { surveyConfig } from '../../../config/load-config.js';
import { isLoopback } from '../../../config/safe-address.js';
import { address, origin, type Kind } from '../../../config/settings-kinds.js';
import { hasValue, type Environment } from '../../../config/settings-read.js';
import { SETTING_LIST } from '../../../config/settings.js';
import { findWeakness } from '../../../config/secret-strength.js';
import { CliFailure, EXIT, buildUsageFailure } from '../cli-failure.js';
import type { GivenOptions } from '../command.js';
import type { TokenHookTarget } from './upstream-settings.js';

export interface FirstSettings {
  /** The settings in the order of the file. */
  settings: Readonly<Record<string, string>>;
  publicUrl: string;
  /** Present if there is a console: its public origin, and the address at which the operator API will listen. */
  console?: { url: string; listener: string };
  /** Present if Hydra uses a token hook. */
  tokenHook?: TokenHookTarget;
  /** Names of the settings that were copied from the environment. */
  copiedNames: readonly string[];
  /** Settings for which this command chose a value other than the default, each with an explanation. */
  choices: readonly string[];
  /** Names of settings that the start of a gateway requires and that the file lacks. */
  missingNames: readonly string[];
  warnings: readonly string[];
}

const ADDRESSES = {
  PUBLIC_URL: ['public-url', origin],
  HYDRA_PUBLIC_URL: ['hydra-public-url', address],
  HYDRA_ADMIN_URL: ['hydra-admin-url', address],
} as const satisfies Record<string, readonly [string, Kind<string>]>;

/** Settings that are not copied from the environment, because this command determines their values. */
const UNCOPIED_NAMES: readonly string[] = [...Object.keys(ADDRESSES), 'NODE_ENV', 'CONSOLE_URL', 'TRUST_PROXY'];
/** A fault that can be corrected after the file is written. */
const MISSING_DATABASE_FAULT = /^DATABASE_URL: is required/;

/** @throws CliFailure for an option that is missing or not valid, or with all faults of the settings */
export function buildFirstSettings(options: GivenOptions, env: Environment): FirstSettings {
  const addresses = buildAddresses(options, env);
  const isProduction = addresses.PUBLIC_URL.startsWith('https:');
  if (!isProduction && !isLoopback(new URL(addresses.PUBLIC_URL).hostname)) {
    throw buildUsageFailure('--public-url must begin with https://; plain http is allowed for localhost only.');
  }
  const port = options.text('port');
  const copiedSettings = copyFromEnvironment(env, port === undefined ? UNCOPIED_NAMES : [...UNCOPIED_NAMES, 'PORT']);
  const generateIfAbsent = (name: string): Record<string, string> => (hasValue(name, env) ? {} : { [name]: generateSecret() });
  const consoleText = options.text('console-url') ?? env['CONSOLE_URL']?.trim();
  const consoleUrl = readOrigin('console-url', consoleText === '' ? undefined : consoleText);
  const hookUrl = readOrigin('token-hook-url', options.text('token-hook-url'));
  const chosenSettings = chooseSettings(Object.keys(copiedSettings), consoleUrl);
  const settings = {
    ...(isProduction ? { NODE_ENV: 'production' } : {}),
    ...addresses,
    ...defined({ CONSOLE_URL: consoleUrl }),
    ...toProxySettings(options, addresses.PUBLIC_URL, env),
    ...toDatabaseSettings(options, env),
    ...copiedSettings,
    ...defined({ PORT: port }),
    ...generateIfAbsent('SECRETS_SYSTEM'),
    ...(hasValue('OPERATOR_TOKENS', env) ? {} : generateIfAbsent('OPERATOR_TOKEN')),
    ...(hookUrl === undefined ? {} : { ...generateIfAbsent('TOKEN_HOOK_KEY'), ...toHookHostNames(hookUrl, env) }),
    ...chosenSettings,
  };
  const { config, faults, warnings } = surveyConfig(settings);
  const fatalFaults = faults.filter((fault) => !MISSING_DATABASE_FAULT.test(fault));
  if (fatalFaults.length > 0) throw new CliFailure(EXIT.failure, 'settings', `${fatalFaults.join('. ')}. Nothing was written.`);
  const missingNames = faults.length > fatalFaults.length ? ['DATABASE_URL'] : [];
  return {
    settings,
    publicUrl: addresses.PUBLIC_URL,
    ...defined({ console: toConsole(consoleUrl, config.operator), tokenHook: toHookTarget(hookUrl, config.tokenHook) }),
    copiedNames: Object.keys(copiedSettings),
    choices: explainChoices(chosenSettings),
    missingNames,
    warnings,
  };
}

/** @param givenNames names of settings that are in the environment */
function chooseSettings(givenNames: readonly string[], consoleUrl: string | undefined): Record<string, string> {
  return {
    ...(consoleUrl === undefined ? {} : chooseConsoleSettings(givenNames, new URL(consoleUrl))),
    ...(givenNames.includes('LANGUAGES') ? {} : { LANGUAGES: 'all' }),
    ...(givenNames.some((name) => name.startsWith('PASSWORD_')) ? {} : { PASSWORD_PROFILE: 'nist' }),
  };
}

/**
 * For a console at an http address, chooses the port of the address. For https without a certificate in OPERATOR_TLS_CERT, which
 * requires a proxy, chooses the number of proxies: otherwise all operators would seem to have the address of the proxy.
 */
function chooseConsoleSettings(givenNames: readonly string[], { protocol, port }: URL): Record<string, string> {
  if (protocol === 'http:')
    return givenNames.includes('OPERATOR_PORT') || port === '' || port === '3001' ? {} : { OPERATOR_PORT: port };
  return givenNames.some((name) => /^OPERATOR_(TRUST_PROXY|TLS_CERT)/.test(name)) ? {} : { OPERATOR_TRUST_PROXY: '1' };
}

const MEANINGS: Readonly<Record<string, string>> = {
  LANGUAGES: 'all languages that ship with Foyer are offered',
  PASSWORD_PROFILE: 'a password needs 15 characters, or 8 with a second factor, and no particular kinds of characters',
  OPERATOR_PORT: 'the port of --console-url, at which the operator API serves the console',
  OPERATOR_TRUST_PROXY: 'one proxy in front of the operator API terminates TLS and forwards the addresses of operators',
};

function explainChoices(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).map(([name, value]) => `${name}=${value} (${MEANINGS[name] ?? ''})`);
}

function buildAddresses(options: GivenOptions, env: Environment): Record<keyof typeof ADDRESSES, string> {
  const entries = Object.entries(ADDRESSES).map(([name, [option, kind]]) => {
    const text = options.text(option) ?? env[name]?.trim() ?? '';
    if (text === '') return { name, fault: `--${option} is required` };
    const reading = kind.read(text);
    return 'fault' in reading ? { name, fault: `--${option} ${reading.fault}` } : { name, value: reading.value };
  });
  const faults = entries.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) throw buildUsageFailure(`${faults.join('; ')}.`);
  return Object.fromEntries(entries.map(({ name, value }) => [name, value])) as Record<keyof typeof ADDRESSES, string>;
}

/** @returns the target with the newest key; undefined without a token hook */
function toHookTarget(hookUrl: string | undefined, { keys: [key = ''] }: Config['tokenHook']): TokenHookTarget | undefined {
  return hookUrl === undefined ? undefined : { origin: hookUrl, key };
}

/** Adds the host name of the hook, because the operator API refuses requests that name another host. */
function toHookHostNames(url: string, env: Environment): Record<string, string> {
  const { hostname } = new URL(url);
  return isLoopback(hostname) || hasValue('OPERATOR_HOST_NAMES', env) ? {} : { OPERATOR_HOST_NAMES: hostname };
}

/** @throws CliFailure */
function readOrigin(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const reading = origin.read(text);
  if ('fault' in reading) throw buildUsageFailure(`--${option} ${reading.fault}.`);
  return reading.value;
}

function toConsole(url: string | undefined, { host, port }: Config['operator']): FirstSettings['console'] {
  return url === undefined ? undefined : { url, listener: `${host.includes(':') ? `[${host}]` : host}:${port}` };
}

/** Foyer itself serves plain http, so https requires a proxy in front of Foyer. */
function toProxySettings(options: GivenOptions, publicUrl: string, env: Environment): Record<string, string> {
  const { protocol, port } = new URL(publicUrl);
  const defaultProxies = protocol === 'https:' ? '1' : undefined;
  const proxies = hasValue('TRUST_PROXY', env) ? env['TRUST_PROXY'] : defaultProxies;
  return {
    ...(protocol === 'http:' && port !== '' && port !== '3000' ? { PORT: port } : {}),
    ...defined({ TRUST_PROXY: options.text('trust-proxy') ?? proxies }),
  };
}

function toDatabaseSettings(options: GivenOptions, env: Environment): Record<string, string> {
  const url = options.text('database-url');
  if (url === undefined) return {};
  if (URL.canParse(url) && new URL(url).password !== '') {
    throw buildUsageFailure(
      'A password must not be an argument, because all users of this machine can read arguments. Set DATABASE_URL to the address.',
    );
  }
  if (hasValue('DATABASE_URL', env))
    throw buildUsageFailure('Pass either --database-url or DATABASE_URL in the environment, not both.');
  return { DATABASE_URL: url };
}

function copyFromEnvironment(env: Environment, excludedNames: readonly string[]): Record<string, string> {
  const names = SETTING_LIST.flatMap(({ name, file }) => (file ? [name, `${name}_FILE`] : [name]));
  const givenNames = names.filter((name) => !excludedNames.includes(name) && (env[name] ?? '').trim() !== '');
  return Object.fromEntries(givenNames.map((name) => [name, (env[name] ?? '').trim()]));
}

/** Generates a secret. Tries again if it happens to contain a word that is refused as a sample. */
function generateSecret(): string {
  const secret = randomToken();
  return findWeakness(secret) === null ? secret : generateSecret();
}
