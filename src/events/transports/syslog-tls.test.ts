import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { OPERATOR_CERTIFICATE, LOCALHOST } from '../../../test/support/certificates.js';
import { startSyslogReceiver, type SyslogReceiver } from '../../../test/support/syslog-receiver.js';
import { waitUntil as waitUntilAsync } from '../../../test/support/upstream-waiting.js';
import { buildExample } from '../events-document.js';
import type { Transport } from '../transport.js';
import { createSyslogTlsTransport, type SyslogTlsSettings } from './syslog-tls.js';

const TIME_LIMIT_MS = 60_000;
const EVENT = buildExample('sign-in.ok');

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

async function startReceiver(tls = LOCALHOST, port = 0): Promise<SyslogReceiver> {
  const receiver = await startSyslogReceiver(tls, port);
  cleanups.push(() => receiver.close());
  return receiver;
}

function open(port: number, more: Partial<SyslogTlsSettings> = {}): Transport {
  const settings = { ca: LOCALHOST.certificate, timeLimitMs: TIME_LIMIT_MS, ...more };
  const transport = createSyslogTlsTransport({ address: `syslog+tls://localhost:${port}`, ...settings });
  cleanups.push(() => transport.close());
  return transport;
}

const waitUntil = (condition: () => boolean | Promise<boolean>): Promise<void> =>
  waitUntilAsync(TIME_LIMIT_MS, async () => condition());

const SENT_ANSWER = { isDelivered: true, status: 'sent', body: '' };

describe('syslog over TLS', () => {
  it('sends events over one connection, in order, even many at the same time', async () => {
    const receiver = await startReceiver();
    const transport = open(receiver.port);
    const events = Array.from({ length: 40 }, (_, number) => ({ ...EVENT, id: String(number) }));
    expect(await transport.deliver(EVENT)).toEqual(SENT_ANSWER);
    expect(await Promise.all(events.map((event) => transport.deliver(event)))).toEqual(events.map(() => SENT_ANSWER));
    await waitUntil(() => receiver.messages.length === 41);
    const ids = receiver.messages.map((message) => / id="(\d+)"/.exec(message)?.[1]);
    expect(ids).toEqual([EVENT.id, ...events.map(({ id }) => id)]);
    expect(receiver.connections()).toBe(1);
  });

  it('connects again after the receiver has ended the connection', async () => {
    const receiver = await startReceiver();
    const transport = open(receiver.port);
    await transport.deliver(EVENT);
    await waitUntil(() => receiver.messages.length === 1);
    // Waits until the transport has closed the connection, too.
    await receiver.endConnections();
    expect(await transport.deliver(EVENT)).toEqual(SENT_ANSWER);
    await waitUntil(() => receiver.messages.length === 2);
    expect(receiver.connections()).toBe(2);
  });

  it('reports a refused connection, and delivers once a receiver listens', async () => {
    const receiver = await startReceiver();
    const { port } = receiver;
    await receiver.close();
    const transport = open(port);
    expect(await transport.deliver(EVENT)).toEqual({ isDelivered: false, status: 'connection refused', body: '' });
    const laterReceiver = await startReceiver(LOCALHOST, port);
    expect(await transport.deliver(EVENT)).toEqual(SENT_ANSWER);
    await waitUntil(() => laterReceiver.messages.length === 1);
  });

  it('sends nothing to a host with a certificate for another host, or from an unknown authority', async () => {
    const receiver = await startReceiver(OPERATOR_CERTIFICATE);
    const otherHostTransport = open(receiver.port, { ca: OPERATOR_CERTIFICATE.certificate });
    expect((await otherHostTransport.deliver(EVENT)).status).toBe('certificate of another host');
    const unknownAuthorityTransport = open(receiver.port);
    expect((await unknownAuthorityTransport.deliver(EVENT)).status).toBe('certificate of an unknown authority');
    expect(receiver.messages).toEqual([]);
  });

  it('sends nothing to a host that does not speak TLS', async () => {
    let receivedText = '';
    const plainServer = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => (receivedText += chunk.toString('latin1')));
      socket.write('220 not TLS\r\n');
    });
    await new Promise<void>((resolve) => plainServer.listen(0, 'localhost', resolve));
    cleanups.push(() => new Promise((resolve) => plainServer.close(resolve)));
    const { port } = plainServer.address() as AddressInfo;
    const transport = open(port);
    expect(await transport.deliver(EVENT)).toEqual({ isDelivered: false, status: 'TLS handshake failed', body: '' });
    expect(receivedText).not.toContain('sign-in.ok');
  });

  it('gives up in time if the receiver does not answer, or does not read', async () => {
    const silentServer = createServer((socket) => socket.on('error', () => undefined).resume());
    await new Promise<void>((resolve) => silentServer.listen(0, 'localhost', resolve));
    cleanups.push(() => new Promise((resolve) => silentServer.close(resolve)));
    const silentTransport = open((silentServer.address() as AddressInfo).port, { timeLimitMs: 50 });
    expect((await silentTransport.deliver(EVENT)).status).toBe('timeout');

    const receiver = await startReceiver();
    receiver.stopReading();
    const transport = open(receiver.port, { timeLimitMs: 300 });
    const largeEvent = { ...EVENT, detail: { ...EVENT.detail, more: 'x'.repeat(6000) } };
    // Together, these events are larger than the buffers of both sides.
    const answers = await Promise.all(Array.from({ length: 2000 }, () => transport.deliver(largeEvent)));
    expect(new Set(answers.map(({ status }) => status))).toContain('timeout');
    expect(answers.filter(({ isDelivered }) => !isDelivered).length).toBeGreaterThan(0);
  });

  it('closes an idle connection, and can be closed twice', async () => {
    const receiver = await startReceiver();
    const transport = open(receiver.port, { idleMs: 20 });
    await transport.deliver(EVENT);
    await waitUntil(async () => {
      await transport.deliver(EVENT);
      return receiver.connections() > 1;
    });
    await transport.close();
    await transport.close();
  });
});
