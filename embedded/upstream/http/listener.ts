/** One listening port: limits for the headers and the time of a request, and a shutdown that waits only briefly for open requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Challenges are part of addresses, and a browser may have a cookie for every client. */
const MAX_HEADER_BYTES = 128 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
/** Idle connections stay open for long, so that the server rarely closes one on which a client is sending a request. */
const KEEP_ALIVE_MS = 75_000;
const CLOSE_GRACE_MS = 400;

export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => void;

export class Listener {
  readonly #server: Server;

  constructor(handler: RequestHandler) {
    this.#server = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        requestTimeout: REQUEST_TIMEOUT_MS,
        headersTimeout: REQUEST_TIMEOUT_MS,
        keepAliveTimeout: KEEP_ALIVE_MS,
      },
      handler,
    );
  }

  /** @returns the port. Rejects with the error of the system */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** Waits a short time for requests in progress, and then closes all connections. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.#server.closeAllConnections(), CLOSE_GRACE_MS);
      this.#server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      this.#server.closeIdleConnections();
    });
  }
}
