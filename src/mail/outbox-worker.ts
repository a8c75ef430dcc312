/**
 * Sends queued mail: soon after this process has queued a mail, and at regular intervals for retries and for mails of other
 * processes. Any number of workers may run. Outages of the mail server or the database do not stop a worker. A mail is given up
 * after 8 tries (`src/accounts/queue/outbox-claims.ts`), when it has expired, or when it is refused.
 */
import { randomInt } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { CONFIG } from '../config/config.token.js';
import { LOG } from '../config/log.token.js';
import { fingerprint } from '../config/keys.js';
import type { Config } from '../config/config.js';
import type { AttributesOf } from '../telemetry/catalogue.js';
import { Telemetry } from '../telemetry/telemetry.js';
import { MAILS_AT_ONCE, MailSender, MailNotSent } from './mail-sender.port.js';
import { MailQueue, type MailFailure, type WaitingMail } from './mail-queue.port.js';
import { renderMail } from './render-mail.js';

const INTERVAL_MS = 15_000;
/** After this time the transaction that queues a mail has usually been committed. */
const WAKE_DELAY_MS = 250;
/** How long a shutdown waits for mails that are being sent. The lease of an unfinished mail expires by itself. */
const LAST_MAIL_MS = 5000;

interface Delivery {
  /** False once no mail is left to claim, the mail server accepts no mail, an error has occurred or the worker is stopping. */
  mayContinue: boolean;
  /** Number of claims so far. */
  claims: number;
  errors: unknown[];
}

@Injectable()
export class OutboxWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Time between two regular checks of the queue, to which a random part is added. */
  intervalMs = INTERVAL_MS;
  #timer: NodeJS.Timeout | undefined;
  #dueAtMs = Infinity;
  #lastDelivery: Promise<void> | undefined;
  #isNextDeliveryWaiting = false;
  #isStopped = true;
  /** Mails that the mail server accepted, but that are not yet marked as sent in the database. */
  readonly #unmarkedMails = new Set<WaitingMail>();

  constructor(
    private readonly queue: MailQueue,
    private readonly sender: MailSender,
    @Inject(CONFIG) private readonly config: Pick<
      Config,
      'mail' | 'app' | 'language' | 'publicUrl' | 'manage' | 'sources' | 'scim'
    >,
    @Inject(LOG) private readonly log: Logger,
    private readonly telemetry: Telemetry,
  ) {}

  onApplicationBootstrap(): void {
    this.#isStopped = false;
    this.queue.onQueued(() => this.wakeSoon());
    this.#wakeIn(this.intervalMs);
  }

  /** Wakes the worker for mails that are about to be queued or to become due again. */
  wakeSoon(): void {
    if (!this.#isStopped) this.#wakeIn(WAKE_DELAY_MS);
  }

  /** Sends no further mail, waits briefly for the current mails and closes the connections. */
  async onApplicationShutdown(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => (timer = setTimeout(resolve, LAST_MAIL_MS)));
    await Promise.race([this.#lastDelivery, deadline]).finally(() => clearTimeout(timer));
    await this.sender.close();
  }

  /** Sends due mails until none is left or no mail is accepted. Never throws. */
  async deliver(): Promise<void> {
    try {
      for (const mail of this.#unmarkedMails) await this.#mark(mail);
      const delivery: Delivery = { mayContinue: true, claims: 0, errors: [] };
      await Promise.all(Array.from({ length: MAILS_AT_ONCE }, () => this.#fillSlot(delivery)));
      if (delivery.errors.length > 0) throw delivery.errors[0];
    } catch (error) {
      this.log.warn({ err: error }, 'could not read or update the outbox; trying again later');
    }
  }

  /** Sends one mail after the other, so that a slow mail delays only its own slot. Never throws. */
  async #fillSlot(delivery: Delivery): Promise<void> {
    try {
      while (delivery.mayContinue) {
        const mail = await this.#claimNextMail(delivery);
        const canSendMore = mail !== undefined && (await this.#deliverMail(mail));
        if (!canSendMore || this.#isStopped) delivery.mayContinue = false;
      }
    } catch (error) {
      delivery.mayContinue = false;
      delivery.errors.push(error);
    }
  }

  /** Every fifth mail is the one that became due first, so that urgent mails cannot hold up the others forever. */
  async #claimNextMail(delivery: Delivery): Promise<WaitingMail | undefined> {
    delivery.claims++;
    const [mail] = await (delivery.claims % MAILS_AT_ONCE === 0 ? this.queue.claimOldest(1) : this.queue.claim(1));
    return mail;
  }

  #wakeIn(ms: number): void {
    const dueAtMs = performance.now() + ms;
    if (dueAtMs >= this.#dueAtMs) return;
    clearTimeout(this.#timer);
    this.#dueAtMs = dueAtMs;
    this.#timer = setTimeout(() => this.#wake(), ms);
    this.#timer.unref();
  }

  #wake(): void {
    this.#dueAtMs = Infinity;
    // One delivery at a time: wake-ups during a delivery start one other delivery after it.
    if (this.#isNextDeliveryWaiting) return;
    this.#isNextDeliveryWaiting = true;
    this.#lastDelivery = (this.#lastDelivery ?? Promise.resolve())
      .then(() => {
        this.#isNextDeliveryWaiting = false;
        return this.#isStopped ? undefined : this.deliver();
      })
      .finally(() => {
        if (!this.#isStopped) this.#wakeIn(this.intervalMs + randomInt(Math.ceil(this.intervalMs / 3)));
      });
  }

  /** @returns false if no other mail can be sent now */
  async #deliverMail(mail: WaitingMail): Promise<boolean> {
    const { queue, log } = this;
    const { id, kind, tries, triesLeft } = mail;
    try {
      if (mail.expired) await queue.abandon(mail, 'expired');
      else if (triesLeft < 0) await queue.abandon(mail, 'tries');
      else {
        await this.#send(mail);
        await this.#mark(mail);
      }
      return true;
    } catch (error) {
      if (this.#unmarkedMails.has(mail)) {
        log.warn({ mail: id, kind, tries, err: error }, 'a mail was sent but could not be marked as sent; trying again');
        return false;
      }
      const fault = error instanceof MailNotSent ? error.fault : 'postponed';
      const reason = error instanceof MailNotSent ? { reason: error.reason } : { err: error };
      log.warn({ mail: id, kind, tries, fault, ...reason }, 'a mail was not sent');
      const failure = toFailure(error);
      if (fault === 'refused') await queue.abandon(mail, 'refused', failure);
      else if (triesLeft <= 0) await queue.abandon(mail, 'tries', failure);
      else await queue.postpone(mail, failure);
      return fault !== 'unavailable';
    }
  }

  /** A failed mark is repeated at the start of the next delivery, so that a mail that the server has accepted is not sent twice. */
  async #mark(mail: WaitingMail): Promise<void> {
    this.#unmarkedMails.add(mail);
    await this.queue.markSent(mail);
    this.#unmarkedMails.delete(mail);
  }

  /** Tries once to send a mail, with a trace and metrics. */
  #send(mail: WaitingMail): Promise<void> {
    const { telemetry, config } = this;
    const { host, port } = config.mail.server ?? {};
    const tags = { 'foyer.mail.kind': mail.kind, 'foyer.mail.tries': mail.tries };
    const attributes = { ...tags, 'server.address': host, 'server.port': port };
    return telemetry.runInSpan({ span: 'mail', name: 'mail send', attributes, begins: true }, async (span) => {
      const startedAt = performance.now();
      let result: AttributesOf<'foyer.mail.send.duration'>['foyer.mail.result'] = 'sent';
      try {
        await this.#sendNow(mail);
      } catch (error) {
        result = error instanceof MailNotSent ? error.fault : 'postponed';
        span.set({ 'error.type': result });
        throw error;
      } finally {
        telemetry.record('foyer.mail.send.duration', (performance.now() - startedAt) / 1000, { 'foyer.mail.result': result });
      }
    });
  }

  async #sendNow(mail: WaitingMail): Promise<void> {
    const { sender, config } = this;
    const { id, recipient, queuedAt } = mail;
    const domain = config.mail.from.address.replace(/^.*@/, '');
    const hash = fingerprint(`${id} ${queuedAt.toISOString()} ${recipient}`).slice(0, 32);
    await sender.send({ ...renderMail(mail, config), recipient, messageId: `<${hash}@${domain}>`, date: queuedAt });
  }
}

function toFailure(error: unknown): MailFailure {
  if (!(error instanceof MailNotSent)) return { cause: 'unexpected' };
  const { fault, problem, reason: code } = error;
  return { cause: fault === 'unavailable' ? `server-${problem}` : fault, code };
}
