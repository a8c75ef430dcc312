/**
 * Starts Hydra, Foyer and a mailbox in containers. No other file of the kit imports testcontainers. The ports are chosen before the
 * start, because the settings of the containers contain the addresses that the browser uses.
 */
import { randomBytes } from 'node:crypto';
import type { GenericContainer, StartedNetwork, StartedTestContainer } from 'testcontainers';
import { environment } from '../src/config/environment.js';
import { PATHS, SERVER_PATHS } from '../src/contract/paths.js';
import { findFreePorts } from './free-ports.js';
import type { DockerOptions, Installation } from './installation.js';
import { KitError } from './kit-error.js';
import { StartedParts } from './started-parts.js';

type Library = typeof import('testcontainers');

interface Ports {
  foyer: number;
  operator: number;
  hydra: number;
  admin: number;
  mailbox: number;
}

interface ContainerParts {
  library: Library;
  network: StartedNetwork;
  ports: Ports;
  secret: string;
}

const NEWEST_HYDRA = 'oryd/hydra:v26.2.0';
const START_TIMEOUT_MS = 120_000;
const [SMTP_PORT, MAILBOX_PORT] = [1025, 8025];

/** @throws KitError if there is no testcontainers or no container engine, or if the network or a container cannot be started */
export async function startContainers(options: DockerOptions): Promise<Installation> {
  const library = await loadLibrary();
  await requireEngine(library);
  const env = environment();
  const images = {
    hydra: options.hydraImage ?? (env['HYDRA_IMAGE'] || NEWEST_HYDRA),
    foyer: options.foyerImage ?? (env['FOYER_IMAGE'] || 'foyer'),
    mailbox: options.mailboxImage ?? (env['FOYER_DEMO_IMAGE'] || 'foyer-demo'),
  };
  const [foyer = 0, operator = 0, hydra = 0, admin = 0, mailbox = 0] = await findFreePorts(5);
  const ports = { foyer, operator, hydra, admin, mailbox };
  const [secret, operatorToken] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  return StartedParts.startAll(async (parts) => {
    const network = await withKitError('The container network could not be created', () => new library.Network().start());
    await parts.add(Promise.resolve({ close: () => network.stop() }));
    const containerParts: ContainerParts = { library, network, ports, secret };
    await startContainer(parts, images.hydra, buildHydraContainer(containerParts, images.hydra));
    if (images.mailbox !== false)
      await startContainer(parts, images.mailbox, buildMailboxContainer(containerParts, images.mailbox));
    const settings = {
      ...buildFoyerSettings(containerParts, operatorToken),
      ...(images.mailbox === false ? {} : { SMTP_URL: `smtp://mailbox:${SMTP_PORT}` }),
      ...options.settings,
    };
    await startContainer(parts, images.foyer, buildFoyerContainer(containerParts, images.foyer, settings));
    const toUrl = (port: number): string => `http://localhost:${port}`;
    return {
      mode: 'docker',
      foyerUrl: toUrl(ports.foyer),
      hydraPublicUrl: toUrl(ports.hydra),
      hydraAdminUrl: toUrl(ports.admin),
      operatorUrl: toUrl(ports.operator),
      operatorToken,
      mailboxUrl: images.mailbox === false ? null : toUrl(ports.mailbox),
      providersUrl: null,
      clock: null,
      stop: () => parts.stop(),
    };
  });
}

async function loadLibrary(): Promise<Library> {
  try {
    return await import('testcontainers');
  } catch (error) {
    throw new KitError('Mode "docker" needs testcontainers: npm install --save-dev testcontainers', { cause: error });
  }
}

async function requireEngine({ getContainerRuntimeClient }: Library): Promise<void> {
  await withKitError(
    'Mode "docker" needs a container engine (DOCKER_HOST, or the socket of Docker or Podman)',
    getContainerRuntimeClient,
  );
}

async function startContainer(parts: StartedParts, image: string, container: GenericContainer): Promise<void> {
  const start = (): Promise<StartedTestContainer> => container.withStartupTimeout(START_TIMEOUT_MS).start();
  const startedContainer = await withKitError(`The image ${image} could not be started`, start);
  await parts.add(Promise.resolve({ close: () => startedContainer.stop() }));
}

/** @throws KitError with the first line of the error */
async function withKitError<Result>(failure: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    throw new KitError(`${failure}: ${reason}`, { cause: error });
  }
}

function buildHydraContainer(
  { library: { GenericContainer: Container, Wait }, network, ports, secret }: ContainerParts,
  image: string,
) {
  const toUrl = (path: string): string => `http://localhost:${ports.foyer}${path}`;
  return new Container(image)
    .withNetwork(network)
    .withNetworkAliases('hydra')
    .withCommand(['serve', 'all', '--dev', '--sqa-opt-out'])
    .withEnvironment({
      DSN: 'memory',
      SECRETS_SYSTEM: secret,
      LOG_LEVEL: 'error',
      SERVE_PUBLIC_HOST: '0.0.0.0',
      SERVE_PUBLIC_PORT: String(ports.hydra),
      SERVE_ADMIN_HOST: '0.0.0.0',
      SERVE_ADMIN_PORT: String(ports.admin),
      URLS_SELF_ISSUER: `http://localhost:${ports.hydra}`,
      URLS_LOGIN: toUrl(PATHS.login),
      URLS_REGISTRATION: toUrl(PATHS.register),
      URLS_CONSENT: toUrl(PATHS.consent),
      URLS_LOGOUT: toUrl(PATHS.logout),
      URLS_ERROR: toUrl(PATHS.error),
      URLS_POST_LOGOUT_REDIRECT: toUrl(PATHS.logoutCallback),
      URLS_DEVICE_VERIFICATION: toUrl(PATHS.device),
      URLS_DEVICE_SUCCESS: toUrl(PATHS.deviceSuccess),
    })
    .withExposedPorts({ container: ports.hydra, host: ports.hydra }, { container: ports.admin, host: ports.admin })
    .withWaitStrategy(Wait.forAll([ports.hydra, ports.admin].map((port) => Wait.forHttp('/health/ready', port))));
}

/** Waits for a log line and not for an HTTP answer, because testcontainers would use a host name that the mailbox refuses. */
function buildMailboxContainer(
  { library: { GenericContainer: Container, Wait }, network, ports }: ContainerParts,
  image: string,
) {
  return new Container(image)
    .withNetwork(network)
    .withNetworkAliases('mailbox')
    .withCommand(['dist/embedded/serve-mailbox.js'])
    .withEnvironment({ MAILBOX_HOST: '0.0.0.0' })
    .withExposedPorts({ container: MAILBOX_PORT, host: ports.mailbox })
    .withWaitStrategy(Wait.forLogMessage(/^Mailbox is ready/m));
}

function buildFoyerContainer(
  { library: { GenericContainer: Container, Wait }, network, ports }: ContainerParts,
  image: string,
  settings: Record<string, string>,
) {
  return new Container(image)
    .withNetwork(network)
    .withEnvironment(settings)
    .withExposedPorts({ container: ports.foyer, host: ports.foyer }, { container: ports.operator, host: ports.operator })
    .withWaitStrategy(Wait.forHttp(SERVER_PATHS.healthReady, ports.foyer));
}

function buildFoyerSettings({ ports, secret }: ContainerParts, operatorToken: string): Record<string, string> {
  return {
    PUBLIC_URL: `http://localhost:${ports.foyer}`,
    HOST: '0.0.0.0',
    PORT: String(ports.foyer),
    OPERATOR_HOST: '0.0.0.0',
    OPERATOR_PORT: String(ports.operator),
    OPERATOR_TOKEN: operatorToken,
    HYDRA_PUBLIC_URL: `http://localhost:${ports.hydra}`,
    HYDRA_ADMIN_URL: `http://hydra:${ports.admin}`,
    SECRETS_SYSTEM: secret,
    HASH_MEMORY_KIB: '1024',
    HASH_ITERATIONS: '1',
    HTTP_DRAIN_MS: '0',
  };
}
