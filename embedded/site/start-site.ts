/**
 * A small web site on node:http for the embedded parts (demo app, mailbox, demo providers, registration service). This file listens,
 * closes, checks requests, sets common headers, and answers unexpected errors.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RequestError, readRequest, requireKnownHost, requireSameOrigin, type SiteRequest } from './read-request.js';
import { text, type Reply } from './reply.js';
import { RouteTable, type Routes } from './route-table.js';

export interface SiteSettings {
  host: string;
  /** 0 chooses a free port. */
  port: number;
  /** Additional host names besides the loopback ones. */
  hosts?: readonly string[];
  routes: Routes;
  /** Added to every answer; an answer's own header of the same name wins. */
  headers: Readonly<Record<string, string>>;
  /** Renders an error answer (400, 403, 404, 405, 413, 421) or an unexpected error (500) in the design of the site. */
  renderError?: (status: number, message: string, request: SiteRequest | null) => Reply;
  /** Called for unexpected errors, which the browser does not see. */
  onFailure?: (error: unknown) => void;
}

export interface Site {
  url: string;
  close(): Promise<void>;
}

/** Idle connections stay open for long, so that the server rarely closes one on which a client is sending a request. */
const LIMITS = { requestTimeout: 20_000, headersTimeout: 10_000, keepAliveTimeout: 75_000 };
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

const COMMON_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  // `no-referrer` would make browsers send `Origin: null` with the site's own forms.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-site',
};

/** @throws the listening error (`EADDRINUSE` …) */
export async function startSite(settings: SiteSettings): Promise<Site> {
  const answer = buildHandler(settings);
  const server = createServer(LIMITS, (request, response) => {
    answer(request)
      .then((reply) =>
        send({ ...reply, headers: { ...COMMON_HEADERS, ...settings.headers, ...reply.headers } }, request, response),
      )
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(settings.port, settings.host, resolve);
  });
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => close(server) };
}

/** @returns a function that turns every error of a check or a handler into an answer */
function buildHandler({
  routes,
  hosts = [],
  renderError,
  onFailure,
}: SiteSettings): (request: IncomingMessage) => Promise<Reply> {
  const table = new RouteTable(routes);
  const names = new Set([...LOOPBACK_NAMES, ...hosts]);
  return async (nodeRequest) => {
    let request: SiteRequest | null = null;
    const refuse = (status: number, message: string): Reply =>
      renderError?.(status, message, request) ?? text(`${message}\n`, status);
    try {
      requireKnownHost(nodeRequest, names);
      requireSameOrigin(nodeRequest);
      request = await readRequest(nodeRequest);
      const match = table.find(request.method, request.url.pathname);
      if (match.kind === 'unknown') return refuse(404, 'This page does not exist.');
      if (match.kind === 'wrong-method') {
        const reply = refuse(405, 'This address does not support the method.');
        return { ...reply, headers: { ...reply.headers, allow: match.allowedMethods.join(', ') } };
      }
      return await match.handler({ ...request, params: match.params });
    } catch (error) {
      if (error instanceof RequestError) return refuse(error.status, error.message);
      onFailure?.(error);
      return refuse(500, 'An unexpected error occurred.');
    }
  };
}

function send({ status, headers, body }: Reply, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(status, headers as Record<string, string | string[]>);
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function close(server: Server): Promise<void> {
  const closePromise = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closePromise;
}
