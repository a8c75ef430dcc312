/**
 * Secrets that an installation generates on its first start, only outside production. They are stored in the data
 * directory, where only the owner can read them. Two processes that start at the same time use the same secrets.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, type Config } from './config.js';
import { makeDirectorySync } from './make-directory.js';
import { toCode } from './system-error.js';

const FILE = 'secrets.json';
const OWNER_ONLY_MODE = 0o600;

interface InstallationSecrets {
  system: string;
  operatorToken: string;
}

/**
 * @throws ConfigError if the data directory cannot be used or its secrets cannot be read
 * @returns the same configuration; outside production, with the missing secrets added
 */
export function withInstallationSecrets(config: Config): Config {
  if (config.mode === 'production' || (config.secrets.length > 0 && config.operator.token !== undefined)) return config;
  const installationSecrets = readOrMakeSecrets(config.database.dataDir);
  return {
    ...config,
    secrets: config.secrets.length > 0 ? config.secrets : [installationSecrets.system],
    operator: { ...config.operator, token: config.operator.token ?? installationSecrets.operatorToken },
  };
}

/**
 * Reads the secrets without generating any, for tools that inspect an installation.
 * @returns an empty list if there are none, or their file cannot be read
 */
export function findKeptSecrets({ mode, secrets, database: { dataDir } }: Config): readonly string[] {
  if (mode === 'production' || secrets.length > 0) return secrets;
  const path = join(dataDir, FILE);
  try {
    const text = readText(path);
    return text === null ? [] : [parseSecrets(text, path).system];
  } catch {
    // The next start reports what is wrong with the file.
    return [];
  }
}

function readOrMakeSecrets(dataDir: string): InstallationSecrets {
  const path = join(dataDir, FILE);
  try {
    makeDirectorySync(dataDir);
    const text = readText(path) ?? generateSecrets(path);
    chmodSync(path, OWNER_ONLY_MODE);
    return parseSecrets(text, path);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError([`DATA_DIR: ${JSON.stringify(dataDir)} cannot be used for data (${toCode(error) ?? String(error)})`]);
  }
}

/**
 * Writes the file under another name first, so that no process reads an incomplete file. If two processes write a file, both
 * use the secrets of the first one.
 */
function generateSecrets(path: string): string {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const secrets: InstallationSecrets = {
    system: randomBytes(32).toString('base64url'),
    operatorToken: randomBytes(32).toString('base64url'),
  };
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: OWNER_ONLY_MODE });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (toCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8');
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (toCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function parseSecrets(text: string, path: string): InstallationSecrets {
  try {
    const { system, operatorToken } = JSON.parse(text) as Partial<Record<keyof InstallationSecrets, unknown>>;
    if (isSecret(system) && isSecret(operatorToken)) return { system, operatorToken };
  } catch {
    // The fault is reported below without the parser's message, because that message quotes the file.
  }
  throw new ConfigError([
    `DATA_DIR: ${path} does not contain the secrets of this installation; values that were encrypted with them cannot be decrypted`,
  ]);
}

function isSecret(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 32;
}
