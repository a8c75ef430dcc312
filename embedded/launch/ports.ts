/** Checks before the start whether all ports are available, so that all unavailable ports are reported together. */
import { connect, createServer } from 'node:net';
import type { Config } from '../../src/config/config.js';
import { usesDemoSource } from '../../src/config/demo-source.js';
import { startsDemoProviders } from './demo-providers.js';

export interface WantedPort {
  port: number;
  /** Listening address. */
  host: string;
  /** The setting that changes the port. */
  setting: string;
  /** The setting that changes `host`, if there is one. */
  hostSetting?: string;
  /** What uses the port, as shown to the person who starts Foyer. */
  purpose: string;
}

/** `forbidden`: low ports need administrator rights. `no-address`: the host is not an address of this machine. */
type Obstacle = 'taken' | 'forbidden' | 'no-address';

export interface UnavailablePort extends WantedPort {
  obstacle: Obstacle;
  /** An available port nearby. */
  freePort?: number;
}

/** `localhost` has two addresses. A program that listens on one of them would receive requests for Foyer. */
const LOOPBACK = ['127.0.0.1', '::1'];
const NEIGHBOURS = 50;
const FIRST_OPEN_PORT = 1024;
const OBSTACLES: Readonly<Record<string, Obstacle>> = {
  EADDRINUSE: 'taken',
  EACCES: 'forbidden',
  EADDRNOTAVAIL: 'no-address',
  ENOTFOUND: 'no-address',
};

export function listWantedPorts(config: Config): WantedPort[] {
  const { port, host, operator, embedded, embeddedPorts: ports } = config;
  const gatewayPorts = [
    { port, host, setting: 'PORT', hostSetting: 'HOST', purpose: 'sign-in pages' },
    { ...operator, setting: 'OPERATOR_PORT', hostSetting: 'OPERATOR_HOST', purpose: 'operator API' },
  ].map(({ port, host, setting, hostSetting, purpose }) => ({ port, host, setting, hostSetting, purpose }));
  if (!embedded) return gatewayPorts;
  return [
    ...gatewayPorts,
    { port: ports.demoApp, host: 'localhost', setting: 'EMBEDDED_DEMO_APP_PORT', purpose: 'demo app' },
    {
      port: ports.registration,
      host: 'localhost',
      setting: 'EMBEDDED_REGISTRATION_PORT',
      purpose: 'registration service',
    },
    ...(usesDemoSource(config)
      ? [{ port: ports.people, host: 'localhost', setting: 'EMBEDDED_PEOPLE_PORT', purpose: 'example user source' }]
      : []),
    { port: ports.upstreamPublic, host: 'localhost', setting: 'EMBEDDED_UPSTREAM_PUBLIC_PORT', purpose: 'upstream, public API' },
    { port: ports.upstreamAdmin, host: 'localhost', setting: 'EMBEDDED_UPSTREAM_ADMIN_PORT', purpose: 'upstream, admin API' },
    { port: ports.mailbox, host: 'localhost', setting: 'EMBEDDED_MAILBOX_PORT', purpose: 'mailbox' },
    { port: ports.smtp, host: 'localhost', setting: 'EMBEDDED_SMTP_PORT', purpose: 'mailbox, SMTP' },
    ...(startsDemoProviders(config)
      ? [{ port: ports.providers, host: 'localhost', setting: 'EMBEDDED_PROVIDERS_PORT', purpose: 'demo providers' }]
      : []),
  ];
}

/** @returns the ports that cannot be opened; port 0 is always available */
export async function findUnavailablePorts(wantedPorts: readonly WantedPort[]): Promise<UnavailablePort[]> {
  const checks = await Promise.all(wantedPorts.map(async (port) => ({ port, obstacle: await findObstacle(port) })));
  const numbers = new Set(wantedPorts.map(({ port }) => port));
  const unavailablePorts: UnavailablePort[] = [];
  for (const { port, obstacle } of checks) {
    if (!obstacle) continue;
    const freePort = obstacle === 'no-address' ? undefined : await findFreeNeighbour(port, numbers);
    if (freePort !== undefined) numbers.add(freePort);
    unavailablePorts.push(freePort === undefined ? { ...port, obstacle } : { ...port, obstacle, freePort });
  }
  return unavailablePorts;
}

async function findFreeNeighbour({ port, host }: WantedPort, excludedPorts: ReadonlySet<number>): Promise<number | undefined> {
  const firstPort = Math.max(port + 1, FIRST_OPEN_PORT);
  for (let candidate = firstPort; candidate < Math.min(firstPort + NEIGHBOURS, 65_536); candidate++) {
    if (!excludedPorts.has(candidate) && (await findObstacle({ port: candidate, host })) === null) return candidate;
  }
  return undefined;
}

async function findObstacle({ port, host }: Pick<WantedPort, 'port' | 'host'>): Promise<Obstacle | null> {
  if (port === 0) return null;
  // Some systems allow a second server next to one that listens on all addresses, so a port on which a server answers is reported as taken.
  const answers = await Promise.all(LOOPBACK.map((address) => isAnswering(port, address)));
  if (answers.includes(true)) return 'taken';
  for (const address of [...LOOPBACK, host]) {
    const obstacle = await tryListening(port, address);
    // A machine without IPv6 has no ::1 and does not need it.
    if (obstacle && !(obstacle === 'no-address' && address !== host)) return obstacle;
  }
  return null;
}

function isAnswering(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 1000 });
    const end = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end(true)).once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}

function tryListening(port: number, host: string): Promise<Obstacle | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(OBSTACLES[code ?? ''] ?? null));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}
