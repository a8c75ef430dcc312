/** Mail to a server that disconnects, refuses or is silent, and a database that is unavailable meanwhile. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '../../src/database/database.errors.js';
import type { MailQueue } from '../../src/mail/mail-queue.port.js';
import { MailDelivery } from '../support/mail-delivery.js';
import { IS_FULL } from '../support/matrix.js';

/** More than twice the number of mails that are sent at once. */
const MANY = 12;
/** Many times the number of mails that are sent at once. */
const CROWD = IS_FULL ? 200 : 50;
const HOUR = 3600;
const TIMEOUTS = { connectionMs: 100, silenceMs: 100, mailMs: 60_000, idleMs: 60_000 };

let mails: MailDelivery;

beforeAll(async () => {
  mails = await MailDelivery.open();
});

beforeEach(() => mails.begin());

afterEach(() => mails.server.stop());

afterAll(() => mails.close());

it('[INS-5] [R-13] a mail whose connection is dropped before the reply is sent again later, with the same Message-ID', async () => {
  const accountId = await mails.queue('dropped');
  mails.server.answer = { at: 'data', code: 'drop' };
  await mails.deliver();
  mails.server.answer = undefined;
  await mails.deliver();
  expect(mails.server.taken).toHaveLength(1);
  mails.clock.advanceSeconds(HOUR);
  await mails.deliver();
  mails.clock.advanceSeconds(HOUR);
  await mails.deliver();
  const [first, second, ...more] = mails.server.taken.map(({ messageId }) => messageId);
  expect([second, more]).toEqual([first, []]);
  expect(await mails.countAbandoned(accountId)).toBe(0);
  expect(mails.faults).toEqual(['unavailable']);
});

it('[R-13] a mail whose connection is dropped after the reply is sent, and not again', async () => {
  await mails.queue('taken');
  mails.server.answer = { at: 'taken', code: 'drop' };
  await mails.deliver();
  mails.clock.advanceSeconds(HOUR);
  await mails.deliver();
  expect([mails.server.taken.length, mails.faults]).toEqual([1, []]);
});

it.each(['connect', 'mail', 'rcpt', 'data'] as const)(
  '[R-13] a server that answers 421 (%s) gets no further mail at once, and all mails later',
  async (moment) => {
    const accountId = await mails.queue('waiting', MANY);
    mails.server.answer = { at: moment, code: 421 };
    await mails.deliver();
    expect(mails.faults).toEqual(Array.from({ length: 5 }, () => 'unavailable'));
    mails.server.answer = undefined;
    mails.clock.advanceSeconds(HOUR);
    await mails.deliver();
    expect(mails.server.taken).toHaveLength(MANY);
    expect(await mails.countAbandoned(accountId)).toBe(0);
  },
);

it.each(['connect', 'mail', 'data'] as const)(
  '[R-13] a silent server (%s) is waited for a limited time, and its mail is sent later',
  async (moment) => {
    await mails.queue('silent');
    mails.server.answer = { at: moment, code: 'silence' };
    await mails.deliver(mails.worker({ timeouts: TIMEOUTS }));
    expect(mails.faults).toEqual(['unavailable']);
    mails.server.answer = undefined;
    mails.server.taken.length = 0;
    mails.clock.advanceSeconds(HOUR);
    await mails.deliver();
    expect(mails.server.taken.map(({ recipients }) => recipients)).toEqual([['silent@example.org']]);
  },
);

it('[INS-5] [R-13] a mail that always ends its connection does not delay those of others', async () => {
  await mails.queue('poison');
  await mails.queue('others', MANY);
  mails.server.answer = { at: 'rcpt', code: 'drop', only: 'poison@example.org' };
  await mails.deliver();
  // The mails that were sent at the same time.
  expect(mails.server.taken.length).toBeGreaterThanOrEqual(4);
  await mails.deliver();
  expect(mails.server.taken).toHaveLength(MANY);
});

it('[R-13] mails that were sent during an outage of the database are marked afterwards, and not sent again', async () => {
  const accountId = await mails.queue('unmarked', MANY);
  const { claims } = mails;
  let isAway = true;
  const queue: MailQueue = {
    claim: (most) => claims.claim(most),
    claimOldest: (most) => claims.claimOldest(most),
    markSent: (mail) => (isAway ? Promise.reject(new DatabaseUnavailable('away')) : claims.markSent(mail)),
    postpone: (mail) => claims.postpone(mail),
    abandon: (mail, reason) => claims.abandon(mail, reason),
    onQueued: () => undefined,
  };
  const worker = mails.worker({ queue });
  await mails.deliver(worker);
  await mails.deliver(worker);
  expect(mails.server.taken).toHaveLength(5);
  isAway = false;
  mails.clock.advanceSeconds(HOUR);
  await mails.deliver(worker);
  await mails.deliver();
  expect(mails.server.taken).toHaveLength(MANY);
  expect(new Set(mails.server.taken.map(({ messageId }) => messageId)).size).toBe(MANY);
  expect(await mails.countAbandoned(accountId)).toBe(0);
});

it('[INS-5] [R-13] a code is among the next mails, however many links wait', async () => {
  const accountId = await mails.queue('crowd', 0);
  for (let index = 0; index < CROWD; index++) {
    await mails.queueRequested({ kind: 'password-reset', accountId, values: { token: `token-${index}` } });
  }
  mails.server.hold();
  const delivered = mails.deliver();
  await mails.server.waitForMails(5);
  const code = { kind: 'proof-code', accountId, recipient: 'waiting@example.org', values: { code: '048213' } } as const;
  await mails.queueRequested(code);
  mails.server.release();
  await delivered;
  const recipients = mails.server.taken.map((mail) => mail.recipients[0]);
  expect(recipients).toHaveLength(CROWD + 1);
  expect(recipients.indexOf('waiting@example.org')).toBeLessThan(10);
});

it('[INS-5] [R-13] a mail that the server answers late delays no other', async () => {
  await mails.queue('slow');
  await mails.queue('others', MANY);
  mails.server.hold('slow@example.org');
  const delivered = mails.deliver();
  await mails.server.waitForMails(MANY + 1);
  mails.server.release();
  await delivered;
  expect(mails.server.taken).toHaveLength(MANY + 1);
});

it('[INS-5] [R-13] a notice is sent although new urgent mails keep arriving', async () => {
  await mails.queue('patient');
  const accountId = await mails.queue('crowd', 0);
  for (let index = 0; index < 20; index++) {
    await mails.queueRequested({ kind: 'password-reset', accountId, values: { token: `token-${index}` } });
  }
  await mails.deliver();
  const recipients = mails.server.taken.map((mail) => mail.recipients[0]);
  expect(recipients.indexOf('patient@example.org')).toBeLessThan(10);
});
