/**
 * A proxy in front of several gateways, like that of a hosting platform: no sticky sessions, round robin, and no requests
 * to a gateway that is not ready while another one is (all may be late to report that on a busy machine). A request that no
 * gateway has accepted yet goes to another gateway; there are no other retries.
 */
import { createServer, request as send, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SERVER_PATHS } from '../../src/contract/paths.js';
import { FRESH } from './upstream-waiting.js';

const PROBE_EVERY_MS = 50;
const BAD_GATEWAY = 502;
/** Longer than clients keep an idle connection. */
const KEEP_ALIVE_MS = 75_000;

export class Balancer {
  readonly #server: Server;
  #ready: readonly number[] = [];
  /** The port of the gateway that receives all requests; null to use each gateway in turn. */
  only: number | null = null;
  #next = 0;
  #probing = true;

  private constructor(
    private readonly ports: readonly number[],
    private readonly host: string,
  ) {
    this.#server = createServer(
      { keepAliveTimeout: KEEP_ALIVE_MS },
      (request, response) => void this.#forward(request, response),
    );
  }

  static async start(port: number, ports: readonly number[]): Promise<Balancer> {
    const balancer = new Balancer(ports, `localhost:${port}`);
    await new Promise<void>((resolve) => balancer.#server.listen(port, '127.0.0.1', resolve));
    void balancer.#probe();
    return balancer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Ports of the gateways that currently receive requests. */
  get ready(): readonly number[] {
    return this.#ready;
  }

  async close(): Promise<void> {
    this.#probing = false;
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #probe(): Promise<void> {
    while (this.#probing) {
      const answers = await Promise.all(this.ports.map(async (port) => ((await isReady(port)) ? [port] : [])));
      this.#ready = answers.flat();
      await new Promise((resolve) => setTimeout(resolve, PROBE_EVERY_MS));
    }
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await toBody(request);
    const candidates = this.#rotate();
    for (const port of candidates) {
      if (await this.#try(port, request, { body, response })) return;
    }
    response.writeHead(BAD_GATEWAY).end('no gateway accepts the request');
  }

  #rotate(): number[] {
    if (this.only !== null) return [this.only];
    const turn = (this.#next += 1);
    const all = this.#ready.length > 0 ? this.#ready : this.ports;
    return all.map((_, index) => all[(turn + index) % all.length] ?? 0);
  }

  /** @returns false if the request may go to another gateway, because none has read it */
  #try(port: number, from: IncomingMessage, { body, response }: { body: Buffer; response: ServerResponse }): Promise<boolean> {
    return new Promise((resolve) => {
      const headers = { ...from.headers, host: this.host, 'x-forwarded-for': '192.0.2.10', 'x-forwarded-proto': 'http' };
      const outgoing = send({ host: '127.0.0.1', port, method: from.method, path: from.url, headers, agent: false });
      let isConnected = false;
      outgoing.once('socket', (socket) => socket.once('connect', () => (isConnected = true)));
      outgoing.once('error', () => {
        if (!isConnected) return resolve(false);
        if (!response.headersSent) response.writeHead(BAD_GATEWAY);
        response.end();
        resolve(true);
      });
      outgoing.once('response', (answer) => {
        response.writeHead(answer.statusCode ?? BAD_GATEWAY, answer.headers);
        answer.pipe(response);
        answer.once('error', () => response.destroy());
        resolve(true);
      });
      outgoing.end(body);
    });
  }
}

async function toBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}${SERVER_PATHS.healthReady}`, { headers: FRESH }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.ok;
    },
    () => false,
  );
}
