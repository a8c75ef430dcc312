/** A TCP proxy that changes the answers of a server as failing networks do. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { SourceUnavailable } from '../../src/sources/source.errors.js';
import type { TestClock } from './test-clock.js';

/** A time limit for tests that reach it. On a busy machine it may also be reached without a fault, see {@link askUntilAvailable}. */
export const SHORT_MS = 250;

/**
 * `hang`: accepts connections and does not answer. `cut`: ends the connection in the middle of the first answer. `half`: passes half
 * of the first answer and nothing more. `nonsense`: sends another answer.
 */
export type Fault = 'none' | 'hang' | 'cut' | 'half' | 'nonsense';

export class FaultProxy {
  fault: Fault = 'none';
  /** Number of accepted connections. */
  connections = 0;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(port: number, host = '127.0.0.1'): Promise<FaultProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new FaultProxy(server, (server.address() as AddressInfo).port);
    server.on('connection', (socket) => proxy.#take(socket, { port, host }));
    return proxy;
  }

  /** Ends the open connections, as a server does with idle ones. */
  dropAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.dropAll();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #take(near: Socket, to: { port: number; host: string }): void {
    this.connections += 1;
    this.#keep(near);
    if (this.fault === 'hang') return;
    const far = connect(to);
    this.#keep(far);
    near.pipe(far);
    far.on('data', (data: Buffer) => this.#answer(near, data));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }

  #answer(near: Socket, data: Buffer): void {
    const half = data.subarray(0, Math.floor(data.length / 2));
    switch (this.fault) {
      case 'none':
        near.write(data);
        return;
      case 'hang':
        return;
      case 'cut':
        near.end(half);
        return;
      case 'half':
        near.write(half);
        this.fault = 'hang';
        return;
      case 'nonsense':
        near.write('HTTP/1.1 400 Bad Request\r\n\r\n');
    }
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }
}

/** Asks a source without a fault until it answers, because a source is not asked for a moment after each failure. */
export async function askUntilAvailable<Answer>(ask: () => Promise<Answer>, clock: TestClock): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw error;
      clock.advance({ seconds: 6 });
    }
  }
}
