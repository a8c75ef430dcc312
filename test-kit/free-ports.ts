/** Finds free ports for a server that cannot choose its own. */
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';

/** Opens all of them before closing any, so that no two are the same. */
export async function freePorts(count: number): Promise<number[]> {
  const held = await Promise.all(Array.from({ length: count }, hold));
  const ports = held.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(held.map(release));
  return ports;
}

const hold = (): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });

const release = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
