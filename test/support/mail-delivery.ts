/** The delivery of mails in one test file: real rows, the worker, and a `MailServer` for each test. */
import { pino } from 'pino';
import { AccountAttributes } from '../../src/accounts/attributes/account-attributes.js';
import { AccountNames } from '../../src/accounts/account/account-names.js';
import { FormerEmails } from '../../src/accounts/account/former-emails.js';
import { VerifiedAddresses } from '../../src/accounts/account/verified-addresses.js';
import { Accounts } from '../../src/accounts/account/accounts.js';
import { AuditLog } from '../../src/accounts/audit/audit-log.js';
import { OutboxClaims } from '../../src/accounts/queue/outbox-claims.js';
import { Outbox, type RequestedMail } from '../../src/accounts/queue/outbox.js';
import { OneTimeSecrets } from '../../src/accounts/secrets/one-time-secrets.js';
import type { SmtpServer } from '../../src/config/config.js';
import { Keys } from '../../src/config/keys.js';
import type { Database } from '../../src/database/database.js';
import type { MailQueue } from '../../src/mail/mail-queue.port.js';
import { OutboxWorker } from '../../src/mail/outbox-worker.js';
import { SmtpSender, type SmtpTimeouts } from '../../src/mail/smtp-sender.js';
import { TELEMETRY_OFF } from '../../src/telemetry/telemetry.js';
import { openTestDatabase } from './databases.js';
import { MailServer, type MailServerOptions } from './mail-server.js';
import { TestClock } from './test-clock.js';
import { NO_SOURCES } from './no-sources.js';
import { testConfig } from './test-config.js';

const FROM = { name: 'Konten', address: 'konten@example.com' };

interface WorkerOptions {
  queue?: MailQueue;
  timeouts?: SmtpTimeouts;
  server?: Partial<SmtpServer>;
}

export class MailDelivery {
  readonly #audit: AuditLog;
  readonly claims: OutboxClaims;
  readonly #accounts: Accounts;
  readonly #outbox: Outbox;
  #server: MailServer | undefined;
  #logged: string[] = [];

  private constructor(
    private readonly database: Database,
    readonly clock: TestClock,
  ) {
    const keys = new Keys(['a secret of the installation, for tests']);
    this.#audit = new AuditLog(database);
    this.#outbox = new Outbox(database, keys, new OneTimeSecrets(database, keys), testConfig());
    const names = new AccountNames(database, testConfig(), NO_SOURCES);
    const addresses = new VerifiedAddresses(database, this.#audit, names, testConfig());
    const formerEmails = new FormerEmails(database, keys, this.#outbox, addresses);
    this.#accounts = new Accounts(database, this.#audit, names, formerEmails, new AccountAttributes(testConfig()));
    this.claims = new OutboxClaims(database, keys, this.#audit, this.#outbox);
  }

  static async open(): Promise<MailDelivery> {
    const clock = new TestClock();
    return new MailDelivery(await openTestDatabase('either', clock), clock);
  }

  /** Removes all mails and starts a server without faults, before each test. */
  async begin(options?: MailServerOptions): Promise<void> {
    await this.database.db.deleteFrom('account').execute();
    this.#server = await MailServer.start(0, options);
    this.#logged = [];
  }

  get server(): MailServer {
    if (!this.#server) throw new Error('The mail server runs inside tests only.');
    return this.#server;
  }

  /** The fault in each line of the log. */
  get faults(): unknown[] {
    return this.#logged.map((line) => (JSON.parse(line) as { fault?: string }).fault);
  }

  worker({ queue = this.claims, timeouts, server }: WorkerOptions = {}): OutboxWorker {
    const log = pino({ level: 'debug' }, { write: (line: string) => void this.#logged.push(line) });
    const settings = { host: 'localhost', port: this.server.port, encryption: 'none', ...server } as const;
    const sender = new SmtpSender(settings, FROM, timeouts);
    const worker = new OutboxWorker(queue, sender, testConfig(), log, TELEMETRY_OFF);
    // Long enough that these tests send nothing on their own.
    worker.intervalMs = 3_600_000;
    return worker;
  }

  /** Sends one batch after the other, until none is left or the server accepts no more. */
  async deliver(worker = this.worker()): Promise<void> {
    worker.onApplicationBootstrap();
    await worker.deliver();
    await worker.onApplicationShutdown();
    this.#outbox.onQueued(() => undefined);
  }

  /** Queues mails to a new person. @returns the id of the account */
  async queue(username: string, count = 1): Promise<string> {
    const { id: accountId } = await this.#accounts.create({ username, email: `${username}@example.org` });
    for (let index = 0; index < count; index++) {
      await this.database.transaction((trx) => this.#outbox.queueNotice({ kind: 'totp-added', accountId }, trx));
    }
    return accountId;
  }

  /** Queues a mail that somebody requested. */
  async queueRequested(mail: RequestedMail): Promise<void> {
    await this.database.transaction((trx) => this.#outbox.queueRequested(mail, trx));
  }

  /** Number of mails of an account that were abandoned. */
  async countAbandoned(accountId: string): Promise<number> {
    const { entries } = await this.#audit.list(accountId);
    return entries.filter(({ kind }) => kind === 'mail.abandoned').length;
  }

  close(): Promise<void> {
    return this.database.close();
  }
}
