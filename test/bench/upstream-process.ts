/**
 * The upstream in a process of its own: the embedded one, or a real Hydra where `HYDRA_BIN` names its binary. In memory
 * Hydra refuses some of several logins at once (`error=error`), so it gets a database of PostgreSQL where there is one.
 */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { startUpstream } from '../../embedded/upstream/start-upstream.js';
import { PATHS } from '../../src/contract/paths.js';
import { isServed, untilTrue } from '../support/upstream-waiting.js';
import { answerQuestions } from './worker.js';

export interface UpstreamPlan {
  /** The gateway's public origin. */
  gateway: string;
  /** Origin that people see. */
  issuer: string;
  publicPort: number;
  adminPort: number;
  /** For Hydra. */
  databaseUrl: string | null;
}

const READY_WITHIN_MS = 30_000;

export function runUpstream(): void {
  let close = (): Promise<void> => Promise.resolve();
  const start = async (plan: UpstreamPlan): Promise<void> => {
    const binary = process.env['HYDRA_BIN'];
    close = binary ? await startHydra(binary, plan) : (await startUpstream({ ...embeddedOptions(plan) })).close;
  };
  answerQuestions({ start }, () => close());
}

function embeddedOptions({ gateway, issuer, publicPort, adminPort }: UpstreamPlan): Parameters<typeof startUpstream>[0] {
  const urls = {
    login: gateway + PATHS.login,
    consent: gateway + PATHS.consent,
    logout: gateway + PATHS.logout,
    error: gateway + PATHS.error,
    postLogoutRedirect: gateway + PATHS.logoutCallback,
  };
  return { host: '127.0.0.1', publicPort, adminPort, issuer, urls, dataDir: null, secret: randomBytes(32).toString('hex') };
}

/** Hydra takes any variable named like a root of its configuration, so it gets these alone. */
async function startHydra(
  binary: string,
  { gateway, issuer, publicPort, adminPort, databaseUrl }: UpstreamPlan,
): Promise<() => Promise<void>> {
  const env = {
    DSN: databaseUrl === null ? 'memory' : `${databaseUrl}&sslmode=disable`,
    SECRETS_SYSTEM: randomBytes(32).toString('hex'),
    LOG_LEVEL: 'error',
    SERVE_PUBLIC_HOST: '127.0.0.1',
    SERVE_PUBLIC_PORT: String(publicPort),
    SERVE_ADMIN_HOST: '127.0.0.1',
    SERVE_ADMIN_PORT: String(adminPort),
    URLS_SELF_ISSUER: issuer,
    URLS_LOGIN: gateway + PATHS.login,
    URLS_CONSENT: gateway + PATHS.consent,
    URLS_LOGOUT: gateway + PATHS.logout,
    URLS_ERROR: gateway + PATHS.error,
  };
  if (databaseUrl !== null) await promisify(execFile)(binary, ['migrate', 'sql', '-e', '--yes'], { env });
  const hydra = spawn(binary, ['serve', 'all', '--dev', '--sqa-opt-out'], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => hydra.once('exit', resolve).once('error', resolve));
  const stop = async (): Promise<void> => {
    hydra.kill('SIGTERM');
    await ended;
  };
  const ready = untilTrue(READY_WITHIN_MS, async () => {
    if (hydra.exitCode !== null || hydra.pid === undefined) throw new Error(`${binary} ended before it was ready`);
    return isServed(`http://127.0.0.1:${adminPort}/health/ready`);
  });
  await ready.catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return stop;
}
