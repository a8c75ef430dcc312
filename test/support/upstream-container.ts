/**
 * A real Hydra in a container: `HYDRA_IMAGE`, or the newest supported release. Its issuer must be the address that
 * the tests call, so its ports are chosen before the start and are the same on both sides.
 */
import { existsSync } from 'node:fs';
import type { StartedTestContainer } from 'testcontainers';
import { hydraEnvironment } from './upstream-binary.js';
import { STAND_IN_URLS, type Leg, type MissingLeg, type Upstream, type UpstreamSettings } from './upstream-leg.js';
import { findFreePorts } from '../../test-kit/free-ports.js';

const NAME = 'Hydra in a container';
const NEWEST_IMAGE = 'oryd/hydra:v26.2.0';
const START_TIMEOUT_MS = 180_000;
/** A machine without access to the registry often hangs instead of failing. */
const PULL_TIMEOUT_MS = 120_000;
const SOCKETS = ['/var/run/docker.sock', '/run/podman/podman.sock'];

type Environment = Readonly<Record<string, string | undefined>>;

/** Checks for an engine, then for the image. */
export async function containerLeg(environment: Environment): Promise<Leg | MissingLeg> {
  const image = environment['HYDRA_IMAGE'] || NEWEST_IMAGE;
  if (!environment['DOCKER_HOST'] && !SOCKETS.some((path) => existsSync(path))) {
    return { name: NAME, missing: 'there is no container engine (DOCKER_HOST, or the socket of Docker or Podman)' };
  }
  try {
    const version = await toVersion(image);
    const start = (settings: UpstreamSettings = {}): Promise<Upstream> => startContainer(image, settings);
    return { name: NAME, version, configurable: true, reachesLoopback: false, decidesRaces: false, start };
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return { name: NAME, missing: `${image} cannot be started here (${reason})` };
  }
}

/** Reads the version from the container, because a custom image may have any tag. */
async function toVersion(image: string): Promise<string> {
  const { getContainerRuntimeClient, ImageName } = await import('testcontainers');
  const client = await getContainerRuntimeClient();
  const name = ImageName.fromString(image);
  if (!(await client.image.exists(name))) await withTimeout(client.image.pull(name));
  const upstream = await startContainer(image, {});
  try {
    const answer = await fetch(`${upstream.adminUrl}/version`);
    return ((await answer.json()) as { version?: string }).version ?? 'unknown';
  } finally {
    await upstream.close();
  }
}

async function withTimeout(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the image was not downloaded within ${PULL_TIMEOUT_MS / 1000} s`)),
      PULL_TIMEOUT_MS,
    );
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function startContainer(image: string, settings: UpstreamSettings): Promise<Upstream> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const [publicPort = 0, adminPort = 0] = await findFreePorts(2);
  const container: StartedTestContainer = await new GenericContainer(image)
    .withCommand(['serve', 'all', '--dev', '--sqa-opt-out'])
    .withEnvironment({
      ...hydraEnvironment(publicPort, adminPort, settings),
      SERVE_PUBLIC_HOST: '0.0.0.0',
      SERVE_ADMIN_HOST: '0.0.0.0',
    })
    .withExposedPorts({ container: publicPort, host: publicPort }, { container: adminPort, host: adminPort })
    .withWaitStrategy(Wait.forAll([publicPort, adminPort].map((port) => Wait.forHttp('/health/ready', port))))
    .withStartupTimeout(START_TIMEOUT_MS)
    .start();
  return {
    publicUrl: `http://127.0.0.1:${publicPort}`,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    urls: settings.urls ?? STAND_IN_URLS,
    now: Date.now,
    close: async () => {
      await container.stop();
    },
  };
}
