/**
 * Express with an HTTP server that limits slow clients and the number of connections (docs/security.md, R-21). Node
 * checks its limits every 30 s; only the server's constructor can change this interval, so this adapter creates the server. The adapter
 * also sends the outcomes that controllers return, because an interceptor would need several times the CPU time.
 */
import { createServer, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { INestApplication, NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import type { Config } from '../../config/config.js';
import { isOutcome, type Outcome } from '../page/outcome.js';

const CHECK_EVERY_MS = 1000;
/**
 * Longer than proxies keep an idle connection (60 s in nginx and the load balancers of AWS), so that the proxy closes it. If
 * this server closed it while the proxy sends the next request, the proxy would answer with 502.
 */
const KEEP_ALIVE_MS = 75_000;

export class ListenerAdapter extends ExpressAdapter {
  readonly #http: Config['http'];
  readonly #sockets = new Set<Socket>();
  /** Sends an outcome; without it, outcomes are sent as JSON like other values. */
  sendOutcome?: (response: Response, outcome: Outcome) => void;

  /** @throws if the application was created with another adapter */
  static get(app: INestApplication): ListenerAdapter {
    const adapter: unknown = app.getHttpAdapter();
    if (adapter instanceof ListenerAdapter) return adapter;
    throw new Error('The application has no ListenerAdapter: its pages would be sent as JSON.');
  }

  /** @param tls if absent, the listener uses plain HTTP */
  constructor(
    http: Config['http'],
    private readonly tls?: Config['operator']['tls'],
  ) {
    super();
    this.#http = http;
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (this.sendOutcome && isOutcome(body)) return this.sendOutcome(response, body);
    return super.reply(response, body, statusCode) as unknown;
  }

  override initHttpServer(_options: NestApplicationOptions): void {
    const { headersTimeoutMs: headersTimeout, requestTimeoutMs: requestTimeout, maxConnections } = this.#http;
    const limits = {
      connectionsCheckingInterval: CHECK_EVERY_MS,
      headersTimeout,
      requestTimeout,
      keepAliveTimeout: KEEP_ALIVE_MS,
    };
    this.httpServer = this.#createServer(limits);
    this.httpServer.maxConnections = maxConnections;
    const trackSocket = (socket: Socket): void => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    };
    this.httpServer.on('connection', trackSocket);
    // After a handshake the connection has read bytes, but the socket of its TLS layer has not.
    this.httpServer.on('secureConnection', trackSocket);
  }

  #createServer(limits: ServerOptions): Server {
    const express = this.getInstance<RequestListener>();
    const listener: RequestListener = (request, response) =>
      isPlainTarget(request.url ?? '') ? express(request, response) : refuseTarget(response);
    if (this.tls === undefined) return createServer(limits, listener);
    const { certificate: cert, key } = this.tls;
    return createTlsServer({ ...limits, cert, key, minVersion: 'TLSv1.2', handshakeTimeout: limits.headersTimeout }, listener);
  }

  /** Browsers open connections before they need them, and Node counts a connection without a request as busy. */
  closeUnusedConnections(): void {
    this.httpServer.closeIdleConnections();
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}

/**
 * Whether Express and middleware that reads the target as a path see the same path. In a whole address, which a server would have to accept
 * (RFC 9112, section 3.2.2) but only proxies are sent, Express sees the path in it. From a target with a fragment, which no request has
 * (section 3.2), Express removes the fragment, and it reads a backslash as a slash.
 */
function isPlainTarget(target: string): boolean {
  return target.startsWith('/') && !target.includes('#');
}

function refuseTarget(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.end('The target of the request must be a path that begins with /, without a fragment.\n');
}
