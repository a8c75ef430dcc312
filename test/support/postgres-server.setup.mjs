/**
 * Before the tests: starts the installed PostgreSQL, or one in a container if none is installed or POSTGRES_IMAGE is
 * set. Tests find it in TEST_DATABASE_URL and name their databases with TEST_DATABASE_PREFIX; tests that start and stop a
 * server need an installed one.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import setUpRun from './run.setup.mjs';

const NEWEST_IMAGE = 'postgres:17.9-bookworm';
const SOCKETS = ['/var/run/docker.sock', '/run/podman/podman.sock'];
const PORT = 5432;
const PULL_TIMEOUT_MS = 180_000;

export default async function startServer() {
  setUpRun();
  const { TEST_DATABASE_URL, POSTGRES_IMAGE, DOCKER_HOST } = process.env;
  process.env.TEST_DATABASE_PREFIX ??= `foyer_test_${randomBytes(4).toString('hex')}`;
  if (TEST_DATABASE_URL) {
    globalThis.foyerPostgres = { stop: () => removeDatabases(TEST_DATABASE_URL, process.env.TEST_DATABASE_PREFIX) };
    return;
  }
  if (!POSTGRES_IMAGE && (await startInstalled())) return;
  const hasEngine = Boolean(DOCKER_HOST) || SOCKETS.some((path) => existsSync(path));
  if (POSTGRES_IMAGE || hasEngine) await startContainer(POSTGRES_IMAGE || NEWEST_IMAGE);
}

/** @returns false if none is installed */
async function startInstalled() {
  await import('./register-typescript.mjs');
  const { PostgresCluster, whyNoCluster } = await import('./postgres-cluster.ts');
  if (whyNoCluster() !== null) return false;
  const cluster = await PostgresCluster.create();
  await cluster.start();
  globalThis.foyerPostgres = { stop: () => cluster.remove() };
  process.env.TEST_DATABASE_URL = cluster.url();
  return true;
}

async function startContainer(image) {
  try {
    const { GenericContainer, Wait } = await import('testcontainers');
    const password = randomBytes(16).toString('hex');
    const container = await new GenericContainer(image)
      .withEnvironment({ POSTGRES_PASSWORD: password })
      .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=200'])
      .withTmpFs({ '/var/lib/postgresql/data': 'rw' })
      .withExposedPorts(PORT)
      // The log has this line twice: during the initial set-up, and when the server accepts connections.
      .withWaitStrategy(Wait.forLogMessage('database system is ready to accept connections', 2))
      .withStartupTimeout(PULL_TIMEOUT_MS)
      .start();
    globalThis.foyerPostgres = container;
    process.env.TEST_DATABASE_URL = `postgresql://postgres:${password}@${container.getHost()}:${container.getMappedPort(PORT)}/postgres`;
    process.stderr.write(`PostgreSQL of these tests: a container of ${image}\n`);
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n');
    process.stderr.write(`SKIPPED: PostgreSQL in a container: ${image} cannot be started here (${reason})\n`);
  }
}

async function removeDatabases(connectionString, prefix) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [prefix]);
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  } finally {
    await client.end();
  }
}
