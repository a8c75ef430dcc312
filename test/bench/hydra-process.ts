/** A real Hydra of the benchmark, with a PostgreSQL database. */
import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { PATHS } from '../../src/contract/paths.js';
import { processEnvironment } from '../support/process-environment.js';
import { isServed, waitUntil } from '../support/upstream-waiting.js';

/** The addresses that an upstream needs. */
export interface UpstreamAddresses {
  /** The gateway's public origin. */
  gateway: string;
  /** The public origin of the upstream. */
  issuer: string;
  publicPort: number;
  adminPort: number;
}

export interface HydraPlan {
  binary: string;
  /** The DSN of the database. With `memory`, Hydra refuses some of several simultaneous logins (`error=error`). */
  dsn: string;
  /** Settings in addition to the addresses. */
  settings: Readonly<Record<string, string>>;
}

export interface RunningHydra {
  pid: number;
  stop: () => Promise<void>;
}

const READY_WITHIN_MS = 60_000;

/** Starts Hydra with only these environment variables, because Hydra reads every variable with the name of a configuration key. */
export async function startHydra(
  { gateway, issuer, publicPort, adminPort }: UpstreamAddresses,
  plan: HydraPlan,
): Promise<RunningHydra> {
  const { binary, dsn, settings } = plan;
  const env = {
    ...processEnvironment(),
    DSN: dsn,
    SECRETS_SYSTEM: randomBytes(32).toString('hex'),
    SERVE_PUBLIC_HOST: '127.0.0.1',
    SERVE_PUBLIC_PORT: String(publicPort),
    SERVE_ADMIN_HOST: '127.0.0.1',
    SERVE_ADMIN_PORT: String(adminPort),
    URLS_SELF_ISSUER: issuer,
    URLS_LOGIN: gateway + PATHS.login,
    URLS_CONSENT: gateway + PATHS.consent,
    URLS_LOGOUT: gateway + PATHS.logout,
    URLS_ERROR: gateway + PATHS.error,
    ...settings,
  };
  if (dsn !== 'memory') await promisify(execFile)(binary, ['migrate', 'sql', '-e', '--yes'], { env });
  const hydra = spawn(binary, ['serve', 'all', '--dev', '--sqa-opt-out'], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => hydra.once('exit', resolve).once('error', resolve));
  const stop = async (): Promise<void> => {
    hydra.kill('SIGTERM');
    await ended;
  };
  const ready = waitUntil(READY_WITHIN_MS, async () => {
    if (hydra.exitCode !== null || hydra.pid === undefined) throw new Error(`${binary} ended before it was ready.`);
    // The second request makes Hydra create its keys, which takes seconds.
    return (
      (await isServed(`http://127.0.0.1:${adminPort}/health/ready`)) &&
      isServed(`http://127.0.0.1:${publicPort}/.well-known/jwks.json`)
    );
  });
  await ready.catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { pid: hydra.pid ?? 0, stop };
}
