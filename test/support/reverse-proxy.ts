/** A proxy for one test in front of servers of this machine; it sets forwarded headers and can change answers. */
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defined } from '../../src/config/defined.js';

/** Longer than clients keep an idle connection. */
const KEEP_ALIVE_MS = 75_000;

export interface ReverseProxyOptions {
  /** @returns the origin of the server for a path */
  toOrigin: (path: string) => string;
  /** Changes the headers of the answer of the server. */
  change?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders;
  port?: number;
  /** Host name that it sends on; by default the one of the request. */
  host?: string;
}

export interface ReverseProxy {
  url: string;
  close(): Promise<void>;
}

export async function startReverseProxy({
  toOrigin,
  change = (headers) => headers,
  port = 0,
  host,
}: ReverseProxyOptions): Promise<ReverseProxy> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, response) => {
    const path = incoming.url ?? '/';
    const forwarded = { 'x-forwarded-for': incoming.socket.remoteAddress ?? '', 'x-forwarded-proto': 'http' };
    const headers = { ...incoming.headers, ...forwarded, ...defined({ host }) };
    const onward = request(`${toOrigin(path)}${path}`, { method: incoming.method ?? 'GET', headers, agent: false });
    onward.once('response', (answer: IncomingMessage) => {
      response.sendDate = false;
      const given = Object.entries(change(answer.headers)).filter(([, value]) => value !== undefined);
      response.writeHead(answer.statusCode ?? 502, Object.fromEntries(given));
      answer.pipe(response);
    });
    onward.once('error', () => response.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
