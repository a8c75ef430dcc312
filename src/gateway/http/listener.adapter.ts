/**
 * Express with an HTTP server that limits slow clients and the number of connections (docs/security.md, R-21). Node
 * checks its limits every 30 s; only the server's constructor can change that, so the server is created here.
 */
import { createServer } from 'node:http';
import type { NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Config } from '../../config/config.js';

const CHECK_EVERY_MS = 1000;

export class ListenerAdapter extends ExpressAdapter {
  readonly #http: Config['http'];

  constructor(http: Config['http']) {
    super();
    this.#http = http;
  }

  override initHttpServer(_options: NestApplicationOptions): void {
    const { headersTimeoutMs: headersTimeout, requestTimeoutMs: requestTimeout, maxConnections } = this.#http;
    const limits = { connectionsCheckingInterval: CHECK_EVERY_MS, headersTimeout, requestTimeout };
    this.httpServer = createServer(limits, this.getInstance());
    this.httpServer.maxConnections = maxConnections;
  }
}
