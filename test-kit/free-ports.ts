/** Finds free ports for a server that cannot choose its own. */
import { createServer, type AddressInfo, type Server } from 'node:net';

/** Opens all of them before closing any, so that no two are the same. */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, () => hold()));
  const ports = held.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(held.map(release));
  return ports;
}

/** Below those of outgoing connections (from 32768 on in Linux), one of which could have a port before its server does. */
const FIRST_PORT = 15_000;
/** A port is free again until its server starts. Processes with neighbouring ids, which run at the same time, look at other ports. */
const PORTS_OF_A_PROCESS = 100;
const PROCESSES = 170;

let tried = 0;

async function hold(triesLeft = PORTS_OF_A_PROCESS): Promise<Server> {
  const port = FIRST_PORT + (process.pid % PROCESSES) * PORTS_OF_A_PROCESS + (tried++ % PORTS_OF_A_PROCESS);
  try {
    return await listening(port);
  } catch (error) {
    if (triesLeft <= 1) throw error;
    return hold(triesLeft - 1);
  }
}

const listening = (port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });

const release = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
