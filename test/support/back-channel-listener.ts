/** The endpoint of an app for OpenID Connect Back-Channel Logout, which records the requests. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt } from 'jose';

export class BackChannelListener {
  /** Form bodies in the order of arrival. */
  readonly bodies: URLSearchParams[] = [];
  readonly #server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      this.bodies.push(new URLSearchParams(body));
      response.end();
    });
  });

  static async start(): Promise<BackChannelListener> {
    const listener = new BackChannelListener();
    await new Promise<void>((resolve) => listener.#server.listen(0, '127.0.0.1', resolve));
    return listener;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/back`;
  }

  /** The sessions in the received logout tokens. */
  get sids(): unknown[] {
    return this.bodies.map((body) => decodeJwt(body.get('logout_token') ?? '')['sid']);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
