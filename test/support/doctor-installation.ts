/**
 * A healthy installation for the doctor: gateway, operator API, mail server and database, in front of an upstream. A
 * story adds one fault: another environment for the doctor, or a part with a wrong configuration.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load-config.js';
import { PATHS } from '../../src/contract/paths.js';
import type { Database } from '../../src/database/database.js';
import { openDatabase } from '../../src/database/open-database.js';
import { OryHydraAdapter } from '../../src/hydra/ory-hydra.adapter.js';
import { runLine } from './operator-story.js';
import type { Diagnosis } from '../../src/operator/doctor/examine.js';
import { copyTemplate, serverUrl, whyNoServer } from './databases.js';
import { startTestGateway } from './gateway.js';
import { MailServer } from './mail-server.js';
import { startTestOperator } from './operator.js';
import { TestClock } from './test-clock.js';
import { startReverseProxy } from './reverse-proxy.js';
import { toServedUrls, type Leg, type Upstream } from './upstream-leg.js';
import { findFreePorts } from '../../test-kit/free-ports.js';

/** Hydra is running, but may be slow. */
const TIMEOUT_MS = 180_000;

export type Env = Readonly<Record<string, string>>;

export interface DoctorInstallation {
  /** The environment of the doctor for the healthy installation. */
  env: Env;
  publicUrl: string;
  upstream: Upstream;
  mail: MailServer;
  close(): Promise<void>;
}

export interface DatabaseForDoctor {
  /** The settings that lead to the database. */
  env: Env;
  /** Opens the database, which is migrated then. */
  open(): Promise<Database>;
}

/** Creates the database on a server if there is one, because every run of the doctor opens it, and opening an embedded one takes seconds. */
export async function createDoctorDatabase(dataDir: string): Promise<DatabaseForDoctor> {
  const url = whyNoServer() === null ? serverUrl(await copyTemplate()) : undefined;
  const database = { dataDir, poolSize: 2, ...(url === undefined ? {} : { url }) };
  return {
    env: { DATA_DIR: dataDir, DATABASE_URL: url ?? '' },
    open: () => openDatabase({ database, clock: new TestClock() }),
  };
}

export async function startDoctorInstallation(leg: Leg): Promise<DoctorInstallation> {
  const [port = 0] = await findFreePorts(1);
  const publicUrl = `http://localhost:${port}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-doctor-'));
  const [upstream, mail, site] = await Promise.all([
    leg.start({ urls: toServedUrls(publicUrl) }),
    MailServer.start(),
    startReverseProxy({ toOrigin: () => publicUrl }),
  ]);
  const database = await createDoctorDatabase(dataDir);
  await (await database.open()).close();
  const operator = await startTestOperator();
  const env = {
    PUBLIC_URL: publicUrl,
    PORT: String(port),
    HYDRA_PUBLIC_URL: upstream.publicUrl,
    HYDRA_ADMIN_URL: upstream.adminUrl,
    HYDRA_TIMEOUT_MS: '10000',
    ...database.env,
    SECRETS_SYSTEM: 'Zu7kQm2x9vB4nR8sT1wY6pL3cJ5hG0dF-aEoIuHb',
    OPERATOR_URL: operator.url,
    OPERATOR_TOKEN: operator.token,
    SMTP_URL: `smtp://localhost:${mail.port}`,
    IMPRINT_URL_DE: `${site.url}${PATHS.logoutCallback}`,
  };
  const { config } = loadConfig(env);
  const hashing = { ...config.hashing, memoryKiB: 1024, iterations: 1 };
  const hydra = new OryHydraAdapter(config.hydra);
  hydra.probeTimeoutMs = TIMEOUT_MS;
  const gateway = await startTestGateway({
    port,
    hydra,
    config: () => ({ ...config, hashing }),
  });
  return {
    env,
    publicUrl,
    upstream,
    mail,
    close: async () => {
      await Promise.all([gateway.close(), operator.close(), mail.stop(), site.close(), upstream.close()]);
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Runs the doctor as in a terminal. */
export const doctor = (env: Env, ...args: readonly string[]) => runLine(['doctor', ...args], { env });

export async function diagnose(env: Env, ...args: readonly string[]): Promise<Diagnosis & { code: number; faults: string[] }> {
  const { code, out } = await doctor(env, '--json', ...args);
  const diagnosis = JSON.parse(out) as Diagnosis;
  const faults = diagnosis.findings
    .filter(({ level }) => level === 'fault')
    .map(({ check, what, fix = '' }) => `${check}: ${what} → ${fix}`);
  return { ...diagnosis, code, faults };
}
