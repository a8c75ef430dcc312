/** A token hook that records what an upstream sends, and answers what a test wants. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HookCall {
  headers: IncomingHttpHeaders;
  body: { session: Record<string, unknown>; request: Record<string, unknown> };
}

export class HookListener {
  readonly header = { name: 'X-Foyer-Hook-Key', value: 'a key of the contract suite, not a secret' };
  /** A status alone, or the body of an answer with 200. */
  answer: number | object = 204;
  #calls: HookCall[] = [];
  readonly #server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      this.#calls.push({ headers: request.headers, body: JSON.parse(body) as HookCall['body'] });
      if (typeof this.answer === 'number') return response.writeHead(this.answer).end();
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(this.answer));
    });
  });

  static async start(): Promise<HookListener> {
    const listener = new HookListener();
    await new Promise<void>((resolve) => listener.#server.listen(0, '127.0.0.1', resolve));
    return listener;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hooks/token`;
  }

  /** The calls since the last time. */
  take(): HookCall[] {
    return this.#calls.splice(0);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
