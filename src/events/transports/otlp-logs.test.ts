import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { OPERATOR_CERTIFICATE, LOCALHOST } from '../../../test/support/certificates.js';
import { buildExample } from '../events-document.js';
import { toOcsf } from '../ocsf/to-ocsf.js';
import type { Transport } from '../transport.js';
import { createOtlpLogsTransport, type OtlpLogsSettings } from './otlp-logs.js';

const TIME_LIMIT_MS = 60_000;
const EVENT = { ...buildExample('token.reused'), account: { id: 'a1', username: 'anna' } };
const NOW = new Date('2026-11-28T09:30:05.000Z');

interface ReceivedRequest {
  url: string | undefined;
  /** Identifies the connection. */
  clientPort: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

/** @param answer returns null to answer nothing */
async function startReceiver(answer: (request: ReceivedRequest) => Answer | null = () => ({}), tls?: typeof LOCALHOST) {
  const requests: ReceivedRequest[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url, headers: requestHeaders, socket } = request;
      const message = { url, clientPort: socket.remotePort, headers: requestHeaders, body: Buffer.concat(chunks).toString() };
      requests.push(message);
      const reply = answer(message);
      if (!reply) return;
      const { status = 200, headers = { 'content-type': 'application/json' }, body = '{}' } = reply;
      response.writeHead(status, headers).end(body);
    });
  };
  return { requests, ...(await startServer(listener, tls)) };
}

async function startServer(listener: RequestListener, tls?: typeof LOCALHOST): Promise<{ port: number; url: string }> {
  const server: Server = tls ? createTlsServer({ cert: tls.certificate, key: tls.key }, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  cleanups.push(() => new Promise<void>((resolve) => (server.close(() => resolve()), server.closeAllConnections())));
  const { port } = server.address() as AddressInfo;
  return { port, url: `${tls ? 'https' : 'http'}://localhost:${port}` };
}

function open(address: string, more: Partial<OtlpLogsSettings> = {}): Transport {
  const transport = createOtlpLogsTransport({ address, secrets: [], now: () => NOW, timeLimitMs: TIME_LIMIT_MS, ...more });
  cleanups.push(() => transport.close());
  return transport;
}

interface WireValue {
  stringValue?: string;
  intValue?: string;
  boolValue?: boolean;
  arrayValue?: { values: WireValue[] };
  kvlistValue?: { values: WireMembers };
}

type WireMembers = { key: string; value: WireValue }[];

interface WireRequest {
  resourceLogs: {
    resource: { attributes: WireMembers };
    scopeLogs: { scope: { name: string }; logRecords: { attributes: WireMembers; body: WireValue }[] }[];
  }[];
}

/** Reads a value from the JSON form of Protocol Buffers. */
function toValue(wire: WireValue): unknown {
  if (wire.arrayValue) return wire.arrayValue.values.map(toValue);
  if (wire.kvlistValue) return toMembers(wire.kvlistValue.values);
  return wire.intValue === undefined ? (wire.stringValue ?? wire.boolValue) : Number(wire.intValue);
}

function toMembers(values: WireMembers = []): Record<string, unknown> {
  return Object.fromEntries(values.map(({ key, value }) => [key, toValue(value)]));
}

describe('OpenTelemetry logs', () => {
  it('are one record with the kind, the severity, the person and the event in OCSF', async () => {
    const { url, requests } = await startReceiver();
    expect(await open(url).deliver(EVENT)).toEqual({ isDelivered: true, status: '200', body: '{}' });
    expect(requests).toMatchObject([{ url: '/v1/logs', headers: { 'content-type': 'application/json' } }]);
    const { resourceLogs } = JSON.parse(requests[0]?.body ?? '') as WireRequest;
    const [logs] = resourceLogs;
    const [scopeLogs] = logs?.scopeLogs ?? [];
    const [record] = scopeLogs?.logRecords ?? [];
    expect([toMembers(logs?.resource.attributes)['service.name'], scopeLogs?.scope.name]).toEqual(['foyer', 'foyer.audit']);
    expect(record).toMatchObject({
      timeUnixNano: '1795858200000000000',
      observedTimeUnixNano: '1795858205000000000',
      severityNumber: 17,
      severityText: 'ERROR',
      eventName: 'token.reused',
    });
    expect(toMembers(record?.attributes)).toMatchObject({
      'event.name': 'token.reused',
      'log.record.uid': EVENT.id,
      'user.id': 'a1',
      'user.name': 'anna',
      'client.address': '192.0.2.7',
    });
    expect(toValue(record?.body ?? {})).toEqual(toOcsf(EVENT));
  });

  it('go to the path of the address if it has one', async () => {
    const { url, requests } = await startReceiver();
    await open(`${url}/otlp/v1/logs`).deliver(EVENT);
    expect(requests[0]?.url).toBe('/otlp/v1/logs');
  });

  it('contain the first secret, and the second one if the receiver refuses the first', async () => {
    const { url, requests } = await startReceiver(({ headers }) =>
      headers.authorization === 'Bearer new' ? {} : { status: 401 },
    );
    expect((await open(url, { secrets: ['Bearer old', 'Bearer new'] }).deliver(EVENT)).isDelivered).toBe(true);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
    expect(await open(url, { secrets: ['Bearer old'] }).deliver(EVENT)).toMatchObject({ isDelivered: false, status: '401' });
    const answerWithoutSecret = await open(url).deliver(EVENT);
    expect([answerWithoutSecret.status, requests.at(-1)?.headers.authorization]).toEqual(['401', undefined]);
  });

  it('are not delivered if the receiver rejects the record, but are delivered if it only warns', async () => {
    const rejectingReceiver = await startReceiver(() => ({
      body: JSON.stringify({ partialSuccess: { rejectedLogRecords: '1', errorMessage: 'too old' } }),
    }));
    expect(await open(rejectingReceiver.url).deliver(EVENT)).toMatchObject({ isDelivered: false, status: '200, rejected' });
    const warningReceiver = await startReceiver(() => ({
      body: JSON.stringify({ partialSuccess: { errorMessage: 'slow down' } }),
    }));
    const answer = await open(warningReceiver.url).deliver(EVENT);
    expect([answer.isDelivered, answer.body]).toEqual([true, '{"partialSuccess":{"errorMessage":"slow down"}}']);
    const receiver = await startReceiver(() => ({ status: 204, headers: {}, body: '' }));
    expect(await open(receiver.url).deliver(EVENT)).toEqual({ isDelivered: true, status: '204', body: '' });
  });

  it('are not delivered if the answer is a page, a redirect or an error, and the time to wait is reported', async () => {
    const { url, port, requests } = await startReceiver(({ url: path }) => {
      if (path === '/page') return { headers: { 'content-type': 'Text/HTML; charset=utf-8' }, body: '<p>Sign in' };
      if (path === '/moved') return { status: 307, headers: { location: `http://localhost:${port}/elsewhere` } };
      return { status: 503, headers: { 'retry-after': '17' }, body: `busy\u0000\n${'no '.repeat(200)}` };
    });
    expect((await open(`${url}/page`).deliver(EVENT)).status).toBe('200, a page');
    expect(await open(`${url}/moved`).deliver(EVENT)).toMatchObject({ isDelivered: false, status: '307' });
    const busyAnswer = await open(`${url}/busy`).deliver(EVENT);
    expect(busyAnswer).toMatchObject({ isDelivered: false, status: '503', retryAfterSeconds: 17 });
    expect(busyAnswer.body).toBe(`busy ${'no '.repeat(165)}`);
    expect(requests.map(({ url: path }) => path)).toEqual(['/page', '/moved', '/busy']);
  });

  it('give up in time, even if the answer never ends', async () => {
    const receiver = await startReceiver(() => null);
    expect(await open(receiver.url, { timeLimitMs: 50 }).deliver(EVENT)).toEqual({
      isDelivered: false,
      status: 'timeout',
      body: '',
    });
    const endlessServer = await startServer((_, response) => void response.writeHead(200).write('{'));
    expect((await open(endlessServer.url, { timeLimitMs: 50 }).deliver(EVENT)).status).toBe('timeout');
  });

  it('read only the beginning of an answer of any length', async () => {
    const { url } = await startServer((_, response) => {
      response.writeHead(500);
      const write = (): void => void response.write('no '.repeat(33_333));
      response.on('drain', write);
      write();
    });
    expect(await open(url).deliver(EVENT)).toEqual({ isDelivered: false, status: '500', body: `${'no '.repeat(166)}no` });
  });

  it('go only to the host of the certificate', async () => {
    const { url, requests } = await startReceiver(undefined, LOCALHOST);
    expect((await open(url, { ca: LOCALHOST.certificate }).deliver(EVENT)).isDelivered).toBe(true);
    expect((await open(url).deliver(EVENT)).status).toBe('certificate of an unknown authority');
    const otherReceiver = await startReceiver(undefined, OPERATOR_CERTIFICATE);
    expect((await open(otherReceiver.url, { ca: OPERATOR_CERTIFICATE.certificate }).deliver(EVENT)).status).toBe(
      'certificate of another host',
    );
    expect([requests.length, otherReceiver.requests.length]).toEqual([1, 0]);
  });

  it('report a refused connection, and use one connection for many events', async () => {
    const { url, requests } = await startReceiver();
    const transport = open(url);
    for (let count = 0; count < 5; count += 1) await transport.deliver(EVENT);
    expect(requests).toHaveLength(5);
    expect(new Set(requests.map(({ clientPort }) => clientPort)).size).toBe(1);
    expect((await open('http://localhost:1').deliver(EVENT)).status).toBe('connection refused');
  });
});
