/** Mail from the change to the mailbox: real rows, the worker, and a real SMTP server that may fail. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import PostalMime from 'postal-mime';
import { AccountAttributes } from '../../src/accounts/attributes/account-attributes.js';
import { AccountNames } from '../../src/accounts/account/account-names.js';
import { FormerEmails } from '../../src/accounts/account/former-emails.js';
import { VerifiedAddresses } from '../../src/accounts/account/verified-addresses.js';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { OneTimeSecrets } from '../../src/accounts/secrets/one-time-secrets.js';
import { OutboxClaims } from '../../src/accounts/queue/outbox-claims.js';
import { Outbox, type Notice } from '../../src/accounts/queue/outbox.js';
import type { SmtpServer } from '../../src/config/config.js';
import { Keys } from '../../src/config/keys.js';
import type { Database } from '../../src/database/database.js';
import { MailNotSent, type OutgoingMail } from '../../src/mail/mail-sender.port.js';
import type { MailQueue } from '../../src/mail/mail-queue.port.js';
import { OutboxWorker } from '../../src/mail/outbox-worker.js';
import { SmtpSender } from '../../src/mail/smtp-sender.js';
import { TELEMETRY_OFF } from '../../src/telemetry/telemetry.js';
import { openTestDatabase } from '../support/databases.js';
import { startTestGateway } from '../support/gateway.js';
import { MailServer } from '../support/mail-server.js';
import { openMailModule } from '../support/modules.js';
import { TestClock } from '../support/test-clock.js';
import { NO_SOURCES } from '../support/no-sources.js';
import { testConfig } from '../support/test-config.js';

const KEYS = new Keys(['a secret of the installation, for tests']);
const FROM = { name: 'Müller & "Co", Konten', address: 'konten@example.com' };
const HOUR = 3600;

let clock: TestClock;
let database: Database;
let audit: AuditLog;
let accounts: Accounts;
let outbox: Outbox;
let claims: OutboxClaims;
let server: MailServer;
let logged: string[];

beforeAll(async () => {
  clock = new TestClock();
  database = await openTestDatabase('either', clock);
  audit = new AuditLog(database);
  outbox = new Outbox(database, KEYS, new OneTimeSecrets(database, KEYS), testConfig());
  const names = new AccountNames(database, testConfig(), NO_SOURCES);
  const addresses = new VerifiedAddresses(database, audit, names, testConfig());
  const formerEmails = new FormerEmails(database, KEYS, outbox, addresses);
  accounts = new Accounts(database, audit, names, formerEmails, new AccountAttributes(testConfig()));
  claims = new OutboxClaims(database, KEYS, audit, outbox);
});

afterAll(() => database.close());

beforeEach(async () => {
  await database.db.deleteFrom('account').execute();
  server = await MailServer.start();
  logged = [];
});

afterEach(() => server.stop());

const settings = (more: Partial<SmtpServer> = {}): SmtpServer => ({
  host: 'localhost',
  port: server.port,
  encryption: 'none',
  ...more,
});

function worker(more: Partial<SmtpServer> = {}, queue: MailQueue = claims): OutboxWorker {
  const config = testConfig(({ app }) => ({
    app: { ...app, name: 'Meridian', loginAddress: 'login.example.org' },
    mail: { from: FROM },
  }));
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const worker = new OutboxWorker(queue, new SmtpSender(settings(more), FROM), config, log, TELEMETRY_OFF);
  // Long enough that these tests send nothing on their own.
  worker.intervalMs = 3_600_000;
  return worker;
}

async function person(username: string, email = `${username}@example.org`): Promise<string> {
  return (await accounts.create({ username, email, language: 'de' })).id;
}

const queue = (notice: Notice): Promise<void> => database.transaction((trx) => outbox.queueNotice(notice, trx));

async function listAbandoned(accountId: string): Promise<unknown[]> {
  const { entries } = await audit.list(accountId);
  return entries.filter(({ kind }) => kind === 'mail.abandoned').map(({ detail }) => detail);
}

describe('a notice', () => {
  it('[NTC-1] [NTC-2] arrives as text and HTML, in the language of the account, from the configured sender', async () => {
    await queue({ kind: 'security-key-added', accountId: await person('maria'), values: { name: 'Blauer Schlüssel' } });
    await worker().deliver();
    const [{ from, recipients, source } = server.throwNoMail()] = server.taken;
    expect([from, recipients]).toEqual(['konten@example.com', ['maria@example.org']]);
    const mail = await PostalMime.parse(source);
    expect(mail).toMatchObject({
      from: FROM,
      to: [{ address: 'maria@example.org' }],
      subject: 'Ein Sicherheitsschlüssel wurde eingerichtet',
    });
    expect(mail.text).toContain('Ihr Meridian-Konto');
    expect(mail.text).toContain('Sicherheit Ihres Kontos auf login.example.org geht');
    const [, link = ''] = /^Das war ich nicht:\n(\S+)$/m.exec(mail.text ?? '') ?? [];
    expect(link).toMatch(/^http:\/\/localhost:3000\/not-me\?token=[\w-]{43}$/);
    expect(mail.html).toContain(`<a href="${link}"`);
    expect(mail.html).toContain('Blauer Schlüssel');
    expect(mail.attachments).toEqual([]);
    const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
    expect(headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'content-type': expect.stringMatching(/^multipart\/alternative/),
    });
    expect(logged).toEqual([]);
  });

  it('is sent once, also by several workers', async () => {
    const accountId = await person('many');
    for (let index = 0; index < 12; index++) await queue({ kind: 'totp-added', accountId });
    await Promise.all([worker().deliver(), worker().deliver(), worker().deliver()]);
    await worker().deliver();
    expect(server.taken).toHaveLength(12);
    expect(new Set(server.taken.map(({ messageId }) => messageId)).size).toBe(12);
  });

  it('[S-22] has one recipient and no header from user input', async () => {
    const name = 'x\r\nBcc: evil@example.org\r\n\r\n<script>alert(1)</script>';
    await queue({ kind: 'security-key-removed', accountId: await person('victim'), values: { name } });
    await worker().deliver();
    const [{ recipients, source } = server.throwNoMail()] = server.taken;
    expect(recipients).toEqual(['victim@example.org']);
    const mail = await PostalMime.parse(source);
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
    expect(mail.html).not.toContain('<script');
    const carrier = new SmtpSender(settings(), FROM);
    const more = { subject: 'a\r\nBcc: evil@example.org', text: 'a', html: 'a', messageId: '<a@b>', date: new Date(0) };
    await carrier.send({ ...more, recipient: 'victim@example.org' });
    expect((await PostalMime.parse(server.taken[1]?.source ?? '')).bcc).toBeUndefined();
    for (const recipient of ['a@example.org, b@example.org', 'a@example.org\r\nBcc: b@example.org', '"a" <a@example.org>', 'a']) {
      await expect(carrier.send({ ...more, recipient })).rejects.toMatchObject({ fault: 'refused', reason: 'address' });
    }
    expect(server.taken).toHaveLength(2);
  });

  it('[R-13] is sent again with the same Message-ID and a valid link if the worker died before it marked the mail', async () => {
    await queue({ kind: 'password-changed', accountId: await person('twice') });
    const failAsKilled = () => Promise.reject(new Error('killed'));
    const failingClaims = { markSent: failAsKilled, postpone: failAsKilled, abandon: failAsKilled, onQueued: () => undefined };
    const queueOfKilledWorker = {
      claim: (most: number) => claims.claim(most),
      claimOldest: (most: number) => claims.claimOldest(most),
      ...failingClaims,
    };
    await worker({}, queueOfKilledWorker).deliver();
    await worker().deliver();
    expect(server.taken).toHaveLength(1);
    clock.advanceSeconds(200);
    await worker().deliver();
    expect(server.taken).toHaveLength(2);
    const [first, second] = server.taken.map(({ messageId }) => messageId);
    expect(first).toMatch(/^<[\w-]{32}@example\.com>$/);
    expect(second).toBe(first);
    const links = server.taken.map(({ source }) => source.replaceAll('=\r\n', '').match(/not-me\?token=(?:3D)?([\w-]{43})/)?.[1]);
    expect(links[0]).toMatch(/^[\w-]{43}$/);
    expect(links[1]).toBe(links[0]);
    expect(await new OneTimeSecrets(database, KEYS).find('not-me', links[0] ?? '')).toMatchObject({
      payload: 'password-changed',
    });
  });
});

describe('a failing mail server', () => {
  it('[R-13] is tried again later; no mail is lost, and nobody is told', async () => {
    const accountId = await person('patient');
    await queue({ kind: 'password-changed', accountId });
    const { port } = server;
    await server.stop();
    await worker({ port }).deliver();
    server = await MailServer.start(port);
    server.answer = { at: 'data', code: 451 };
    clock.advanceSeconds(60);
    await worker().deliver();
    expect(server.taken).toEqual([]);
    server.answer = undefined;
    await worker().deliver();
    expect(server.taken).toEqual([]);
    clock.advanceSeconds(HOUR);
    await worker().deliver();
    expect(server.taken).toHaveLength(1);
    expect(await listAbandoned(accountId)).toEqual([]);
    expect(logged.map((line) => (JSON.parse(line) as { fault: string }).fault)).toEqual(['unavailable', 'postponed']);
    expect(logged.join()).not.toMatch(/patient|example\.org/);
  });

  it('[R-13] ends a mail with an event if it refuses the recipient permanently, and no other mail', async () => {
    const [gone, here] = [await person('gone'), await person('here')];
    await queue({ kind: 'password-changed', accountId: gone });
    await queue({ kind: 'password-changed', accountId: here });
    server.answer = { at: 'rcpt', code: 550, only: 'gone@example.org' };
    await worker().deliver();
    expect(server.taken.map(({ recipients }) => recipients)).toEqual([['here@example.org']]);
    expect(await listAbandoned(gone)).toEqual([{ mail: 'password-changed', reason: 'refused', tries: 1 }]);
    expect(await listAbandoned(here)).toEqual([]);
    expect(logged.join()).not.toMatch(/gone@|example\.org/);
  });

  it('[R-13] keeps all mails if it refuses everybody', async () => {
    const accountId = await person('sender');
    await queue({ kind: 'password-changed', accountId });
    for (const moment of ['connect', 'mail'] as const) {
      server.answer = { at: moment, code: 554 };
      await worker().deliver();
      clock.advanceSeconds(HOUR);
    }
    expect(await listAbandoned(accountId)).toEqual([]);
    server.answer = undefined;
    await worker().deliver();
    expect(server.taken).toHaveLength(1);
  });

  it('[R-13] ends a mail with an event after eight attempts', async () => {
    const accountId = await person('never');
    await queue({ kind: 'password-changed', accountId });
    server.answer = { at: 'data', code: 451 };
    for (let time = 0; time < 10; time++) {
      await worker().deliver();
      clock.advanceSeconds(12 * HOUR);
    }
    expect(server.tries).toBe(8);
    expect(await listAbandoned(accountId)).toEqual([{ mail: 'password-changed', reason: 'tries', tries: 8 }]);
  });

  it('[R-13] gets no mail that is past its time', async () => {
    const accountId = await person('late');
    await queue({ kind: 'password-changed', accountId });
    await database.db.updateTable('outbox').set({ expires_at: clock.now() }).execute();
    clock.advanceSeconds(60);
    await worker().deliver();
    expect(server.tries).toBe(0);
    expect(await listAbandoned(accountId)).toEqual([{ mail: 'password-changed', reason: 'expired', tries: 1 }]);
  });

  it.each(['starttls', 'tls'] as const)('gets nothing in plain text where %s is required', async (encryption) => {
    await queue({ kind: 'password-changed', accountId: await person('private') });
    await worker({ encryption }).deliver();
    expect([server.tries, server.taken]).toEqual([0, []]);
  });

  it('has to prove its identity', async () => {
    await server.stop();
    server = await MailServer.start(0, { tls: true });
    const mail: OutgoingMail = {
      recipient: 'a@example.org',
      subject: 'a',
      text: 'a',
      html: 'a',
      messageId: '<a@b>',
      date: new Date(0),
    };
    for (const encryption of ['starttls', 'tls'] as const) {
      const carried = new SmtpSender(settings({ encryption }), FROM).send(mail);
      await expect(carried).rejects.toBeInstanceOf(MailNotSent);
    }
    expect(server.taken).toEqual([]);
  });
});

describe('the worker', () => {
  it('sends soon after a mail was queued, and stops at the shutdown', async () => {
    const running = worker();
    running.onApplicationBootstrap();
    const arrived = server.next();
    await queue({ kind: 'password-changed', accountId: await person('soon') });
    expect((await arrived).recipients).toEqual(['soon@example.org']);
    await running.onApplicationShutdown();
    expect((await database.db.selectFrom('outbox').select('sent_at').executeTakeFirst())?.sent_at).toBeInstanceOf(Date);
    outbox.onQueued(() => undefined);
  });

  it('notices mails that are queued after it has sent', async () => {
    const running = worker();
    running.onApplicationBootstrap();
    const accountId = await person('busy');
    const first = server.next();
    await queue({ kind: 'password-changed', accountId });
    await first;
    const second = server.next();
    await queue({ kind: 'username-changed', accountId });
    await second;
    await running.onApplicationShutdown();
    expect(server.taken).toHaveLength(2);
    outbox.onQueued(() => undefined);
  });

  it('[NTC-2] connects the services of an installation with its server; without a server, mails wait', async () => {
    const gateway = await startTestGateway({ config: () => ({ mail: { from: FROM, server: settings() } }) });
    const { id } = await gateway.account('whole', { email: 'whole@example.org' });
    const notice = { kind: 'password-changed', accountId: id } as const;
    const change = () => gateway.database.transaction((trx) => gateway.get(Outbox).queueNotice(notice, trx));
    await (await openMailModule(gateway, { ...gateway.config, mail: { from: FROM } })).close();
    await change();
    const delivery = await openMailModule(gateway);
    const arrived = server.next();
    await change();
    expect((await arrived).recipients).toEqual(['whole@example.org']);
    await delivery.close();
    await gateway.close();
    expect(server.taken).toHaveLength(2);
  });

  it('continues after an outage of the database', async () => {
    const failAsUnavailable = () => Promise.reject(new Error('the database is away'));
    await expect(
      worker(
        {},
        {
          claim: failAsUnavailable,
          claimOldest: failAsUnavailable,
          markSent: failAsUnavailable,
          postpone: failAsUnavailable,
          abandon: failAsUnavailable,
          onQueued: () => undefined,
        },
      ).deliver(),
    ).resolves.toBeUndefined();
    expect(logged).toHaveLength(1);
  });
});
