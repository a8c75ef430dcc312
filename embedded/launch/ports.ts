/** Looks before anything starts whether every wanted port is free, so that all taken ones are named at once. */
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import type { Config } from '../../src/config/config.js';

export interface WantedPort {
  port: number;
  /** Where it will be listened on. */
  host: string;
  /** The setting that moves it. */
  setting: string;
  what: string;
}

export interface TakenPort extends WantedPort {
  /** A port nearby that is free now. */
  free?: number;
}

/** `localhost` is two addresses. A stranger on either would get what the browser sends to ours. */
const LOOPBACK = ['127.0.0.1', '::1'];
const NEIGHBOURS = 50;

export function wantedPorts({ port, host, operator, embedded, embeddedPorts: ports }: Config): WantedPort[] {
  const own = [
    { port, host, setting: 'PORT', what: 'sign-in pages' },
    { port: operator.port, host: operator.host, setting: 'OPERATOR_PORT', what: 'operator API' },
  ];
  if (!embedded) return own;
  return [
    ...own,
    { port: ports.demoApp, host: 'localhost', setting: 'EMBEDDED_DEMO_APP_PORT', what: 'demo app' },
    { port: ports.upstreamPublic, host: 'localhost', setting: 'EMBEDDED_UPSTREAM_PUBLIC_PORT', what: 'OAuth server, public' },
    { port: ports.upstreamAdmin, host: 'localhost', setting: 'EMBEDDED_UPSTREAM_ADMIN_PORT', what: 'OAuth server, admin' },
    { port: ports.mailbox, host: 'localhost', setting: 'EMBEDDED_MAILBOX_PORT', what: 'mailbox' },
    { port: ports.smtp, host: 'localhost', setting: 'EMBEDDED_SMTP_PORT', what: 'mailbox, SMTP' },
  ];
}

/** @returns those that cannot be listened on; a port of 0 is always free */
export async function takenPorts(wanted: readonly WantedPort[]): Promise<TakenPort[]> {
  const looked = await Promise.all(wanted.map(async (one) => ({ one, free: await isFree(one) })));
  const numbers = new Set(wanted.map(({ port }) => port));
  const taken: TakenPort[] = [];
  for (const { one } of looked.filter(({ free }) => !free)) {
    const free = await freeNeighbour(one, numbers);
    if (free !== undefined) numbers.add(free);
    taken.push(free === undefined ? one : { ...one, free });
  }
  return taken;
}

async function freeNeighbour({ port, host }: WantedPort, not: ReadonlySet<number>): Promise<number | undefined> {
  const first = Math.max(port, 1023) + 1;
  for (let next = first; next < Math.min(first + NEIGHBOURS, 65_536); next++) {
    if (!not.has(next) && (await isFree({ port: next, host }))) return next;
  }
  return undefined;
}

async function isFree({ port, host }: Pick<WantedPort, 'port' | 'host'>): Promise<boolean> {
  if (port === 0) return true;
  const hosts = host === 'localhost' ? LOOPBACK : [...LOOPBACK, host];
  // Some systems let a second server listen beside one on all addresses: somebody who answers counts as well.
  const answered = await Promise.all(LOOPBACK.map((address) => answers(port, address)));
  if (answered.includes(true)) return false;
  for (const address of hosts) if (!(await canListen(port, address))) return false;
  return true;
}

function answers(port: number, host: string): Promise<boolean> {
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

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server: Server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE' && code !== 'EACCES'));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
