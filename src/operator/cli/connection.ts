/**
 * Finds the address and the token of the operator API: in options, in the environment, and outside production in the secrets
 * that Foyer generated on this machine.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../config/config.js';
import { withInstallationSecrets } from '../../config/installation-secrets.js';
import { loadConfig } from '../../config/load-config.js';
import { readSettings, type Environment } from '../../config/settings-read.js';
import { address, token as tokenKind, type Kind } from '../../config/settings-kinds.js';
import type { SettingValues } from '../../config/settings.js';
import { toCode } from '../../config/system-error.js';
import { OPERATOR_API } from '../wire.js';
import { CliFailure, EXIT, buildUsageFailure } from './cli-failure.js';

export interface Connection {
  /** Without a trailing slash. */
  url: string;
  token: string;
  /** Certificate in PEM form; no other certificate is accepted. If absent, the server's certificate must be valid for the address. */
  certificate?: string;
}

export interface ConnectionOptions {
  url?: string | undefined;
  tokenFile?: string | undefined;
  env: Environment;
}

/** Matches the faults of the settings that concern the address or the token of the operator API. */
const OWN_SETTINGS = /^(OPERATOR_(PORT|HOST|HOST_NAMES|TLS_CERT|TOKEN|TOKENS)(_FILE)?|DATA_DIR|NODE_ENV):/;
const SECRETS_FILE = 'secrets.json';
const WILDCARD_ADDRESSES = ['0.0.0.0', '::'];

/** @throws CliFailure */
export function findConnection({ url, tokenFile, env }: ConnectionOptions): Connection {
  const { values, faults } = readSettings(env, (path) => readFileSync(path, 'utf8'));
  // The gateway reports the faults of other settings.
  const fault = faults.find((text) => OWN_SETTINGS.test(text));
  if (fault !== undefined) throw new CliFailure(EXIT.failure, 'settings', `${fault}.`);
  const explicitUrl = findExplicitUrl(url, env['OPERATOR_URL']);
  const apiUrl = explicitUrl ?? buildOwnUrl(values);
  const { tlsCert: certificate } = values.operator;
  return {
    url: apiUrl,
    token: tokenFile === undefined ? findToken(values, apiUrl) : readTokenFile(tokenFile),
    ...(explicitUrl === null && certificate !== undefined ? { certificate } : {}),
  };
}

function findExplicitUrl(option: string | undefined, setting: string | undefined): string | null {
  if (option !== undefined) return parseUrl('--url', option);
  if (setting !== undefined && setting.trim() !== '') return parseUrl('OPERATOR_URL', setting.trim());
  return null;
}

/** Builds the address at which a gateway with the same settings listens. */
function buildOwnUrl({ operator: { host, port, tlsCert } }: SettingValues): string {
  const name = WILDCARD_ADDRESSES.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${tlsCert === undefined ? 'http' : 'https'}://${name}:${port}`;
}

function parseUrl(name: string, text: string): string {
  const url = parseValue(address, name, text);
  return url.endsWith(OPERATOR_API) ? url.slice(0, -OPERATOR_API.length) : url;
}

function findToken(values: SettingValues, url: string): string {
  const token = values.operator.token ?? values.operator.tokens[0]?.token ?? findGeneratedToken(values, url);
  if (token !== null) return token;
  throw new CliFailure(
    EXIT.failure,
    'no-token',
    'The token of the operator API is unknown: set OPERATOR_TOKEN, pass a file with the token as --token-file, or run this command in the directory in which Foyer runs and generated its token.',
  );
}

/** Finds the generated token, which is sent only to this machine, because the API of another machine has a different token. */
function findGeneratedToken({ address: { mode }, database: { dataDir } }: SettingValues, url: string): string | null {
  if (mode === 'production' || !isLoopback(url) || !existsSync(join(dataDir, SECRETS_FILE))) return null;
  try {
    return withInstallationSecrets(loadConfig({ DATA_DIR: dataDir }).config).operator.token ?? null;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new CliFailure(EXIT.failure, 'settings', `${error.faults.join(' ')}.`);
  }
}

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

function readTokenFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw buildUsageFailure(`--token-file: ${JSON.stringify(path)} cannot be read (${toCode(error) ?? 'unknown reason'}).`);
  }
  return parseValue(tokenKind, '--token-file: the token', text);
}

function parseValue(kind: Kind<string>, name: string, text: string): string {
  const reading = kind.read(text);
  if ('fault' in reading) throw buildUsageFailure(`${name} ${reading.fault}.`);
  return reading.value;
}
