/** Finds free ports for servers that cannot choose a port themselves. */
import { createServer, type AddressInfo, type Server } from 'node:net';

/** Opens all ports before closing any, so that they are different. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => holdPort()));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(release));
  return ports;
}

/** Below the ports of outgoing connections (on Linux 32768 and above), so that no connection takes a found port before a server opens it. */
const FIRST_PORT = 15_000;
const PORTS_PER_BLOCK = 100;
const BLOCKS = 170;

let block: Promise<number> | undefined;
let attempts = 0;

/**
 * Another process could find the same port before a server opens it. Each process therefore chooses from its own block of ports, and
 * listens on the first port of the block as long as the process runs.
 */
async function claimBlock(attempt = 0): Promise<number> {
  const firstPort = FIRST_PORT + ((process.pid + attempt) % BLOCKS) * PORTS_PER_BLOCK;
  try {
    (await listen(firstPort, '127.0.0.1')).unref();
    return firstPort;
  } catch (error) {
    if (attempt + 1 >= BLOCKS) throw error;
    return claimBlock(attempt + 1);
  }
}

async function holdPort(attemptsLeft = PORTS_PER_BLOCK - 1): Promise<Server> {
  const firstPort = await (block ??= claimBlock());
  const port = firstPort + 1 + (attempts++ % (PORTS_PER_BLOCK - 1));
  try {
    return await listen(port);
  } catch (error) {
    if (attemptsLeft <= 1) throw error;
    return holdPort(attemptsLeft - 1);
  }
}

/** @param host default: every address of this machine, of IPv6 and IPv4 */
const listen = (port: number, host?: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen({ port, host }, () => resolve(server));
  });

const release = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
