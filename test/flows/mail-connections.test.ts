/** Connections to the mail server: several mails over each, and a server that closes one or is silent. */
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { OPERATOR_CERTIFICATE } from '../support/certificates.js';
import { MailDelivery } from '../support/mail-delivery.js';

const MAX_CONNECTIONS = 5;
const HOUR = 3600;
/** Connections stay open during a test, however slow the machine is. */
const TIMEOUTS = { connectionMs: 600_000, silenceMs: 600_000, mailMs: 600_000, idleMs: 600_000 };

let mails: MailDelivery;

beforeAll(async () => {
  mails = await MailDelivery.open();
});

beforeEach(() => mails.begin());

afterEach(() => mails.server.stop());

afterAll(() => mails.close());

it('[INS-5] twenty mails need at most five connections, each mail with one recipient; a refused mail closes none', async () => {
  const people = Array.from({ length: 20 }, (_, index) => `person-${index}`);
  for (const name of people) await mails.queue(name);
  mails.server.answer = { at: 'rcpt', code: 550, only: 'person-3@example.org' };
  await mails.deliver(mails.worker({ timeouts: TIMEOUTS }));
  const others = people.filter((name) => name !== 'person-3').map((name) => [`${name}@example.org`]);
  const recipients = mails.server.taken.map((mail) => mail.recipients);
  expect(recipients).toHaveLength(others.length);
  expect(recipients).toEqual(expect.arrayContaining(others));
  expect(mails.faults).toEqual(['refused']);
  expect(mails.server.connections).toBeLessThanOrEqual(MAX_CONNECTIONS);
});

it.each(['starttls', 'tls'] as const)('[INS-5] with %s each connection is encrypted and logs in once', async (encryption) => {
  await mails.server.stop();
  const logins: unknown[] = [];
  await mails.begin({
    tls: true,
    secure: encryption === 'tls',
    cert: OPERATOR_CERTIFICATE.certificate,
    key: OPERATOR_CERTIFICATE.key,
    authOptional: false,
    onAuth: ({ username, password }, { secure }, next) => {
      logins.push([username, password, secure]);
      next(null, { user: username });
    },
  });
  const connect = tls.connect as (options: tls.ConnectionOptions, connected: () => void) => tls.TLSSocket;
  const trusted = { ca: OPERATOR_CERTIFICATE.certificate, servername: 'foyer-operator.sso.svc' };
  const spied = jest
    .spyOn(tls, 'connect')
    .mockImplementation(((options: tls.ConnectionOptions, connected: () => void) =>
      connect({ ...options, ...trusted }, connected)) as typeof tls.connect);
  await mails.queue('private', 20);
  const login = { user: 'foyer', password: 'secret' };
  await mails.deliver(mails.worker({ timeouts: TIMEOUTS, server: { encryption, login } }));
  spied.mockRestore();
  expect([mails.server.taken.length, mails.faults]).toEqual([20, []]);
  expect(mails.server.connections).toBeLessThanOrEqual(MAX_CONNECTIONS);
  expect(logins).toEqual(Array.from({ length: mails.server.connections }, () => ['foyer', 'secret', true]));
});

it('[INS-5] [R-13] the next mail is sent at its first attempt after the server has closed its connections', async () => {
  const worker = mails.worker({ timeouts: TIMEOUTS });
  await mails.queue('before', 5);
  await worker.deliver();
  await mails.server.endConnections();
  await mails.queue('after');
  await worker.deliver();
  expect([mails.server.taken.length, mails.faults]).toEqual([6, []]);
  await worker.onApplicationShutdown();
});

it.each([421, 'drop'] as const)(
  '[INS-5] [R-13] a mail that meets the end of its connection (%s) is sent over a new one',
  async (code) => {
    const worker = mails.worker({ timeouts: TIMEOUTS });
    await mails.queue('first', MAX_CONNECTIONS);
    mails.server.hold();
    const delivered = worker.deliver();
    await mails.server.waitForMails(MAX_CONNECTIONS);
    mails.server.release();
    await delivered;
    expect(mails.server.connections).toBe(MAX_CONNECTIONS);
    mails.server.answer = { at: 'mail', code, reused: true };
    await mails.queue('second');
    await worker.deliver();
    expect([mails.server.taken.length, mails.faults]).toEqual([MAX_CONNECTIONS + 1, []]);
    expect(mails.server.connections).toBe(MAX_CONNECTIONS + 1);
    await worker.onApplicationShutdown();
  },
);

it.each(['silenceMs', 'mailMs'])(
  '[R-13] a server that is silent in an open connection is waited for once (%s)',
  async (limit) => {
    const worker = mails.worker({ timeouts: { ...TIMEOUTS, [limit]: 3000 } });
    await mails.queue('first');
    await worker.deliver();
    mails.server.answer = { at: 'mail', code: 'silence' };
    await mails.queue('second');
    await worker.deliver();
    expect([mails.server.tries, mails.faults]).toEqual([2, ['unavailable']]);
    mails.server.answer = undefined;
    mails.clock.advanceSeconds(HOUR);
    await worker.deliver();
    expect(mails.server.taken.map(({ recipients }) => recipients)).toEqual([['first@example.org'], ['second@example.org']]);
    await worker.onApplicationShutdown();
  },
);

it('[INS-5] a gateway that stops finishes the current mail and then closes its connections', async () => {
  const worker = mails.worker({ timeouts: TIMEOUTS });
  worker.onApplicationBootstrap();
  mails.server.hold();
  await mails.queue('last');
  await mails.server.waitForMails(1);
  const ended = worker.onApplicationShutdown();
  mails.server.release();
  await ended;
  await mails.server.waitForClose();
  mails.clock.advanceSeconds(HOUR);
  await mails.deliver();
  expect([mails.server.taken.length, mails.faults]).toEqual([1, []]);
});
