/** The webhook transport against receivers that answer well, late, wrongly or not at all. */
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { SinkEvent } from '../../src/events/sink-event.js';
import type { Transport } from '../../src/events/transport.js';
import { createWebhookTransport, type WebhookSettings } from '../../src/events/transports/webhook.js';
import { OPERATOR_CERTIFICATE, LOCALHOST } from '../support/certificates.js';
import { EventReceiver } from '../support/event-receiver.js';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const SECRET = newSecret();
const EVENT: SinkEvent = {
  id: '4711',
  kind: 'sign-in.ok',
  at: new Date(),
  actor: 'person',
  operator: null,
  account: { id: '7c1f5b1e-9a43-4d0c-8b3a-2f6f0f1d9e55' },
  address: null,
  requestId: null,
  detail: { client: 'portal' },
};

let receiver: EventReceiver;
const transports: Transport[] = [];

beforeEach(async () => {
  receiver = await EventReceiver.start(SECRET);
});
afterEach(async () => {
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
  await receiver.close();
});

function open(more: Partial<WebhookSettings> = {}): Transport {
  const transport = createWebhookTransport({
    address: receiver.url,
    secrets: [SECRET],
    source: 'https://login.example.com',
    now: () => new Date(),
    ...more,
  });
  transports.push(transport);
  return transport;
}

describe('a webhook', () => {
  it('gets a CloudEvent whose signature the package of Standard Webhooks verifies', async () => {
    expect(await open().deliver(EVENT)).toEqual({ isDelivered: true, status: '204', body: '' });
    expect(receiver.events).toMatchObject([{ id: '4711', type: 'foyer.sign-in.ok', subject: EVENT.account?.id }]);
  });

  it('is signed with both secrets while they are rotated', async () => {
    const newer = newSecret();
    let given: { body: string; headers: Record<string, string> } | undefined;
    receiver.answer = (event, response, { headers }) => {
      given = { body: JSON.stringify(event), headers: headers as Record<string, string> };
      response.writeHead(204).end();
    };
    await open({ secrets: [newer, SECRET] }).deliver(EVENT);
    if (!given) throw new Error('Nothing arrived.');
    const { body, headers } = given;
    expect([headers['webhook-id'], headers['content-type']]).toEqual(['4711', 'application/cloudevents+json; charset=utf-8']);
    expect(new Webhook(newer).verify(body, headers)).toMatchObject({ id: '4711' });
    expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
    expect(() => new Webhook(newer).verify(body.replace('4711', '4712'), headers)).toThrow();
  });

  it.each([500, 503, 404, 301, 302, 307])(
    'that answers %i has not taken the event, and is not followed elsewhere',
    async (status) => {
      const other = await EventReceiver.start(SECRET);
      receiver.answer = (_, response) =>
        void response.writeHead(status, { location: other.url, 'retry-after': '120' }).end('<b>no\u0000</b>\u202Eevil\r\n');
      const answer = await open().deliver(EVENT);
      expect(answer).toEqual({ isDelivered: false, status: String(status), body: '<b>no </b> evil', retryAfterSeconds: 120 });
      expect(other.events).toEqual([]);
      await other.close();
    },
  );

  it('that does not answer, or does not end its answer, is given up', async () => {
    receiver.answer = () => undefined;
    expect(await open({ timeLimitMs: 50 }).deliver(EVENT)).toEqual({ isDelivered: false, status: 'timeout', body: '' });
    receiver.answer = (_, response) => void response.writeHead(200).write('x');
    expect(await open({ timeLimitMs: 50 }).deliver(EVENT)).toMatchObject({ isDelivered: false, status: 'timeout' });
  });

  it('that switches to another protocol ends the try', async () => {
    receiver.answer = (_, { socket }) =>
      void socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
    expect(await open().deliver(EVENT)).toMatchObject({ isDelivered: false, status: expect.stringMatching(/./) });
  });

  it('may answer with 10 MB, of which little is read', async () => {
    receiver.answer = (_, response) => void response.writeHead(200).end('a lot '.repeat(2 * 1024 * 1024));
    const answer = await open().deliver(EVENT);
    expect([answer.isDelivered, answer.body.length]).toEqual([true, 500]);
  });

  it('that closed an idle connection gets the event on a new one', async () => {
    const transport = open();
    await transport.deliver(EVENT);
    receiver.closeIdle();
    receiver.answer = (_, response) => void response.writeHead(204, { connection: 'close' }).end();
    for (let count = 0; count < 3; count++) expect((await transport.deliver(EVENT)).isDelivered).toBe(true);
  });

  it('that shows the certificate of another host, or of an unknown authority, gets nothing', async () => {
    const { certificate: cert, key } = OPERATOR_CERTIFICATE;
    const secure = await EventReceiver.start(SECRET, { cert, key });
    const address = secure.url;
    expect(await open({ address, ca: cert }).deliver(EVENT)).toMatchObject({
      isDelivered: false,
      status: 'certificate of another host',
    });
    const unknown = { isDelivered: false, status: 'certificate of an unknown authority' };
    expect(await open({ address }).deliver(EVENT)).toMatchObject(unknown);
    expect([secure.events, secure.refused]).toEqual([[], 0]);
    await secure.close();
  });

  it('with a certificate of a private authority gets the event over TLS', async () => {
    const { certificate: cert, key } = LOCALHOST;
    const secure = await EventReceiver.start(SECRET, { cert, key });
    expect(await open({ address: secure.url, ca: cert }).deliver(EVENT)).toEqual({ isDelivered: true, status: '204', body: '' });
    expect([secure.events.length, secure.url]).toEqual([1, expect.stringMatching(/^https:/)]);
    await secure.close();
  });

  it('that is not there is an answer, not an exception', async () => {
    await receiver.close();
    expect(await open().deliver(EVENT)).toMatchObject({ isDelivered: false, status: 'connection refused' });
    receiver = await EventReceiver.start(SECRET);
  });
});
