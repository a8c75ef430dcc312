/**
 * Sends events as syslog over TLS (RFC 5425), on one connection that is closed after a minute without an event. The protocol has no
 * answers: an event is taken to be delivered once it has been passed to the network while the connection was open. Events in transit are
 * lost if the receiver fails.
 */
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { defined } from '../../config/defined.js';
import type { SinkEvent } from '../sink-event.js';
import type { DeliveryAnswer, Transport } from '../transport.js';
import { toFailureWords } from './failure-words.js';
import { toSyslogFrame } from './syslog-message.js';

const TIME_LIMIT_MS = 10_000;
const DEFAULT_PORT = 6514;
/** Firewalls silently drop connections that are idle for minutes; events that are then written are lost. */
const IDLE_MS = 60_000;
/** The time for which closing waits for the receiver. */
const CLOSE_MS = 1000;

export interface SyslogTlsSettings {
  /** `syslog+tls://host:port`; the port is 6514 if absent. */
  address: string;
  /** PEM of the authorities to trust; if absent, those that Node.js trusts. */
  ca?: string;
  timeLimitMs?: number;
  idleMs?: number;
}

export function createSyslogTlsTransport(settings: SyslogTlsSettings): Transport {
  const { timeLimitMs = TIME_LIMIT_MS } = settings;
  let connection: Connection | undefined;
  return {
    async deliver(event) {
      if (!connection?.isOpen) connection = new Connection(settings);
      return deliverOver(connection, event, timeLimitMs);
    },
    async close() {
      await connection?.end();
    },
  };
}

async function deliverOver(connection: Connection, event: SinkEvent, timeLimitMs: number): Promise<DeliveryAnswer> {
  const timer = setTimeout(() => connection.break(new TimeLimitReached()), timeLimitMs);
  try {
    await connection.write(toSyslogFrame(event));
    return { isDelivered: true, status: 'sent', body: '' };
  } catch (error) {
    // No frame may follow an incomplete one.
    connection.break(new ConnectionClosed());
    return { isDelivered: false, status: error instanceof TimeLimitReached ? 'timeout' : toFailureWords(error), body: '' };
  } finally {
    clearTimeout(timer);
  }
}

class TimeLimitReached extends Error {}

class ConnectionClosed extends Error {
  readonly code = 'ECONNRESET';
}

/** One connection, which is not opened again after its end. */
class Connection {
  /** Also true while the connection is being opened; writes then wait. */
  isOpen = true;
  readonly #socket: TLSSocket;
  /** Functions that reject the writes that have not finished. */
  readonly #rejectCallbacks = new Set<(error: Error) => void>();

  constructor({ address, ca, idleMs = IDLE_MS }: SyslogTlsSettings) {
    const url = new URL(address);
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
    const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
    const servername = isIP(host) === 0 ? host : undefined;
    this.#socket = connect({ host, port, rejectUnauthorized: true, ...defined({ ca, servername }) });
    this.#socket.setNoDelay(true);
    this.#socket.setTimeout(idleMs, () => void this.end());
    this.#socket.on('error', (error: Error) => this.#fail(error));
    this.#socket.on('end', () => this.#fail(new ConnectionClosed()));
    this.#socket.on('close', () => this.#fail(new ConnectionClosed()));
    // Data from the receiver has no meaning, but must be read: otherwise the end of the connection is not noticed.
    this.#socket.resume();
  }

  /** Waits until the bytes have been passed to the network. @throws if the connection fails or ends before that */
  write(bytes: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        this.#rejectCallbacks.delete(fail);
        reject(error);
      };
      this.#rejectCallbacks.add(fail);
      // Until the end of the handshake, the socket buffers the bytes. It sends none to a host with a wrong certificate.
      this.#socket.write(bytes, (error) => {
        if (error) return fail(error);
        // The end of the connection may have been received but not yet reported.
        setImmediate(() => {
          this.#rejectCallbacks.delete(fail);
          resolve();
        });
      });
    });
  }

  break(error: Error): void {
    this.#fail(error);
    this.#socket.destroy();
  }

  /** Closes the connection as TLS requires, so that the receiver can verify that nothing is missing. */
  async end(): Promise<void> {
    this.isOpen = false;
    if (this.#socket.destroyed) return;
    const timer = setTimeout(() => this.#socket.destroy(), CLOSE_MS);
    await new Promise<void>((resolve) => {
      this.#socket.once('close', () => resolve());
      this.#socket.end();
    });
    clearTimeout(timer);
  }

  #fail(error: Error): void {
    this.isOpen = false;
    for (const fail of this.#rejectCallbacks) fail(error);
  }
}
