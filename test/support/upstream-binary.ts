/**
 * Starts a real Hydra from its binary, in memory. Hydra reads every variable with the name of a root of its
 * configuration (TTL, OIDC, DEV, …), so it gets an empty environment.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { STAND_IN_URLS, type Leg, type MissingLeg, type Upstream, type UpstreamSettings } from './upstream-leg.js';
import { processEnvironment } from './process-environment.js';
import { findFreePorts } from '../../test-kit/free-ports.js';
import { isServed, waitUntil } from './upstream-waiting.js';

const READY_WITHIN_MS = 180_000;
/** Hydra generates its keys when they are first used, which takes longer than the timeout of a client on a busy machine. */
const KEYS_WITHIN_MS = 60_000;
/** A free port may be taken by another program before Hydra opens it. */
const ATTEMPTS = 3;
const LOG_TAIL_CHARACTERS = 2_000;

export function binaryLeg(environment: NodeJS.ProcessEnv): Leg | MissingLeg {
  const name = 'Hydra binary';
  const binary = environment.HYDRA_BIN || onPath('hydra', environment.PATH);
  if (binary === undefined) return { name, missing: 'HYDRA_BIN is not set and there is no hydra on the PATH' };
  return {
    name,
    version: toVersion(binary),
    configurable: true,
    reachesLoopback: true,
    decidesRaces: false,
    start: (settings = {}) => startWithRetry(binary, settings, ATTEMPTS),
  };
}

async function startWithRetry(binary: string, settings: UpstreamSettings, attempts: number): Promise<Upstream> {
  try {
    return await start(binary, settings);
  } catch (error) {
    if (attempts <= 1) throw error;
    return startWithRetry(binary, settings, attempts - 1);
  }
}

async function start(binary: string, settings: UpstreamSettings): Promise<Upstream> {
  const [publicPort = 0, adminPort = 0] = await findFreePorts(2);
  const publicUrl = `http://127.0.0.1:${publicPort}`;
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  const env = { ...processEnvironment(), ...hydraEnvironment(publicPort, adminPort, settings) };
  const hookFile = settings.tokenHook === undefined ? null : writeHookFile(settings.tokenHook);
  const configured = hookFile === null ? [] : ['-c', hookFile];
  const options = [...configured, '--dev', '--sqa-opt-out'];
  const server = spawn(binary, ['serve', 'all', ...options], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  server.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-LOG_TAIL_CHARACTERS)));
  server.once('error', (error) => (log += error.message));
  try {
    await waitUntil(READY_WITHIN_MS, async () => {
      if (server.exitCode !== null || server.pid === undefined) throw new Error('it ended before it was ready');
      return (await isServed(`${publicUrl}/health/ready`)) && isServed(`${adminUrl}/health/ready`);
    });
    await waitUntil(KEYS_WITHIN_MS, () => isServed(`${publicUrl}/.well-known/jwks.json`));
  } catch (error) {
    await stop(server);
    throw new Error(`${binary} did not start: ${log}`, { cause: error });
  }
  const close = async () => {
    await stop(server);
    if (hookFile !== null) rmSync(dirname(hookFile), { recursive: true });
  };
  return { publicUrl, adminUrl, urls: settings.urls ?? STAND_IN_URLS, now: Date.now, close };
}

/** Hydra v2.3 reads the key of a hook from a file only, not from variables. */
function writeHookFile({ url, header }: NonNullable<UpstreamSettings['tokenHook']>): string {
  const auth = { type: 'api_key', config: { in: 'header', ...header } };
  const file = join(mkdtempSync(join(tmpdir(), 'foyer-hydra-')), 'hydra.json');
  writeFileSync(file, JSON.stringify({ oauth2: { token_hook: { url, auth } } }));
  return file;
}

/** Hydra reads its settings from variables; these configure a server in memory on the loopback address. */
export function hydraEnvironment(publicPort: number, adminPort: number, settings: UpstreamSettings): Record<string, string> {
  const urls = settings.urls ?? STAND_IN_URLS;
  const all = {
    DSN: 'memory',
    SECRETS_SYSTEM: 'contract-suite-only-not-a-secret',
    LOG_LEVEL: 'error',
    SERVE_PUBLIC_HOST: '127.0.0.1',
    SERVE_PUBLIC_PORT: String(publicPort),
    SERVE_ADMIN_HOST: '127.0.0.1',
    SERVE_ADMIN_PORT: String(adminPort),
    URLS_SELF_ISSUER: `http://127.0.0.1:${publicPort}`,
    URLS_LOGIN: urls.login,
    URLS_REGISTRATION: urls.registration,
    URLS_CONSENT: urls.consent,
    URLS_LOGOUT: urls.logout,
    URLS_ERROR: urls.error,
    URLS_POST_LOGOUT_REDIRECT: urls.postLogoutRedirect,
    URLS_DEVICE_VERIFICATION: urls.deviceVerification,
    URLS_DEVICE_SUCCESS: urls.deviceSuccess,
    ...(settings.loginConsentRequestTtlSeconds === undefined
      ? {}
      : { TTL_LOGIN_CONSENT_REQUEST: `${settings.loginConsentRequestTtlSeconds}s` }),
    OAUTH2_ALLOWED_TOP_LEVEL_CLAIMS: settings.topLevelClaims?.join(',') ?? '',
  };
  // An empty address is not set at all.
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

/** Sends SIGTERM and waits for the end; a server that ignores the signal is a fault, on which the test hangs. */
async function stop(server: ChildProcess): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
}

/** `hydra version` prints `Version:    v26.2.0`, and a binary that was built from source prints `master`. */
function toVersion(binary: string): string {
  const printed = execFileSync(binary, ['version'], { env: {}, encoding: 'utf8' });
  return /^Version:\s*(\S+)/m.exec(printed)?.[1] ?? 'unknown';
}

function onPath(name: string, path = ''): string | undefined {
  const candidates = path
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name));
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
