/** One listening port: limits of the connection, and an end that does not wait for idle or slow clients. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Challenges travel in addresses, and a browser may hold a cookie of every client. */
const MAX_HEADER_BYTES = 128 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
const CLOSE_GRACE_MS = 400;

export type RequestHandler = (req: IncomingMessage, res: ServerResponse) => void;

export class Listener {
  readonly #server: Server;

  constructor(handler: RequestHandler) {
    this.#server = createServer(
      { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
      handler,
    );
  }

  /** @returns the port; rejects with the system's error and the port in its message */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject);
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** Requests under way get a moment; then every connection is cut. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      const cut = setTimeout(() => this.#server.closeAllConnections(), CLOSE_GRACE_MS);
      this.#server.close(() => {
        clearTimeout(cut);
        resolve();
      });
      this.#server.closeIdleConnections();
    });
  }
}
