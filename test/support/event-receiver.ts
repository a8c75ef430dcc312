/** A receiver of webhooks that verifies the signature with the package of Standard Webhooks, and answers as a test says. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface ReceivedEvent {
  id: string;
  type: string;
  subject?: string;
  source: string;
  time: string;
  data: { kind: string; account: { id: string; username?: string; email?: string } | null; detail: Record<string, unknown> };
}

type Answer = (event: ReceivedEvent, response: ServerResponse, request: IncomingMessage) => void;

const ACCEPT: Answer = (_, response) => void response.writeHead(204).end();

export class EventReceiver {
  /** Everything whose signature is valid, in the order of arrival, repetitions included. */
  readonly events: ReceivedEvent[] = [];
  /** Those that were answered with 2xx, in the order of the answers. */
  readonly accepted: ReceivedEvent[] = [];
  /** Requests whose signature is not valid. */
  refused = 0;
  answer: Answer = ACCEPT;

  private constructor(
    private readonly server: Server,
    readonly secret: string,
    readonly url: string,
  ) {}

  /** @param tls in PEM form; without it, plain http */
  static async start(secret: string, tls?: { key: string; cert: string }): Promise<EventReceiver> {
    const listener = (request: IncomingMessage, response: ServerResponse): void => void receiver.#take(request, response);
    const server = tls ? createSecureServer(tls, listener) : createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const receiver = new EventReceiver(server, secret, `${tls ? 'https' : 'http'}://localhost:${port}/events`);
    return receiver;
  }

  accept(): void {
    this.answer = ACCEPT;
  }

  /** Ids of the accepted events of one account, in the order in which each was first accepted. */
  findIds(account: string): number[] {
    return [...new Set(this.accepted.filter(({ subject }) => subject === account).map(({ id }) => Number(id)))];
  }

  /** Closes the connections that are open. */
  closeIdle(): void {
    this.server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const headers = request.headers as Record<string, string>;
    try {
      const event = new Webhook(this.secret).verify(Buffer.concat(chunks).toString('utf8'), headers) as ReceivedEvent;
      this.events.push(event);
      response.on('finish', () => {
        if (response.statusCode < 300) this.accepted.push(event);
      });
      this.answer(event, response, request);
    } catch {
      this.refused += 1;
      response.writeHead(401).end();
    }
  }
}
