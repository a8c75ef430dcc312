/** Finds free ports for servers that cannot choose a port themselves. */
import { createServer, type AddressInfo, type Server } from 'node:net';

/** Opens all ports before closing any, so that they are different. */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, () => hold()));
  const ports = held.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(held.map(release));
  return ports;
}

/** Below the ports of outgoing connections (on Linux 32768 and above), so that no connection takes a port before its server starts. */
const FIRST_PORT = 15_000;
/** Processes that run at the same time have neighbouring ids and therefore try different ports, because a port is free again until its server starts. */
const PORTS_PER_PROCESS = 100;
const PROCESSES = 170;

let attempts = 0;

async function hold(attemptsLeft = PORTS_PER_PROCESS): Promise<Server> {
  const port = FIRST_PORT + (process.pid % PROCESSES) * PORTS_PER_PROCESS + (attempts++ % PORTS_PER_PROCESS);
  try {
    return await listen(port);
  } catch (error) {
    if (attemptsLeft <= 1) throw error;
    return hold(attemptsLeft - 1);
  }
}

const listen = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

const release = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
