/** A receiver of syslog over TLS (RFC 5425): takes the frames of each connection apart, and can stop reading or end connections. */
import { createServer, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';

export interface SyslogReceiver {
  port: number;
  /** The messages in the order of their arrival, without their lengths. */
  messages: string[];
  /** How many connections were opened, since the start. */
  connections(): number;
  /** Ends every connection, as a receiver that restarts does. */
  endConnections(): Promise<void>;
  /** Reads nothing from now on. */
  stopReading(): void;
  close(): Promise<void>;
}

export async function startSyslogReceiver(tls: { certificate: string; key: string }, port = 0): Promise<SyslogReceiver> {
  const messages: string[] = [];
  const sockets = new Set<TLSSocket>();
  let opened = 0;
  let isReading = true;
  const server = createServer({ cert: tls.certificate, key: tls.key }, (socket) => {
    opened += 1;
    sockets.add(socket);
    let buffered: Buffer = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    if (!isReading) return;
    socket.on('data', (chunk: Buffer) => {
      const { complete, rest } = splitFrames(Buffer.concat([buffered, chunk]));
      messages.push(...complete);
      buffered = rest;
    });
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  const endConnections = async (): Promise<void> => {
    const ends = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve).end()));
    await Promise.all(ends);
  };
  return {
    port: (server.address() as AddressInfo).port,
    messages,
    connections: () => opened,
    endConnections,
    stopReading() {
      isReading = false;
      for (const socket of sockets) socket.pause().removeAllListeners('data');
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** @throws if bytes do not begin with the length of a message */
function splitFrames(bytes: Buffer): { complete: string[]; rest: Buffer } {
  const complete: string[] = [];
  let rest = bytes;
  for (;;) {
    const space = rest.indexOf(' ');
    if (space < 0) return { complete, rest };
    const digits = rest.subarray(0, space).toString();
    if (!/^[1-9]\d*$/.test(digits)) throw new Error(`not the length of a message: ${digits.slice(0, 40)}`);
    const end = space + 1 + Number(digits);
    if (rest.length < end) return { complete, rest };
    complete.push(rest.subarray(space + 1, end).toString('utf8'));
    rest = rest.subarray(end);
  }
}
