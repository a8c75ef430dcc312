/**
 * Queues requested mails in the background, after a random delay or right after the mails before them. Looking up the account and
 * queueing the mail takes time that would reveal whether the account exists, also through a request sent right afterwards (S-25). The
 * list is short; requests beyond it are dropped and logged.
 */
import { randomInt } from 'node:crypto';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { LOG } from '../../config/log.token.js';

const CONCURRENCY = 2;
const MAX_WAITING = 200;
/** After this time, the answer to the request has usually been sent. */
const MIN_DELAY_MS = 20;
const MAX_DELAY_MS = 250;

/** A mail that was requested with a username or an address. */
export interface RequestedMail {
  requestId: string;
  /** Looks the account up, and queues the mail if there is one to send. */
  queue(): Promise<void>;
}

@Injectable()
export class RequestedMails implements OnApplicationShutdown {
  readonly #waitingMails: RequestedMail[] = [];
  readonly #runs = new Set<Promise<void>>();

  constructor(@Inject(LOG) private readonly log: Logger) {}

  add(mail: RequestedMail): void {
    if (this.#waitingMails.length >= MAX_WAITING) {
      this.log.warn({ requestId: mail.requestId }, 'a requested mail was dropped: too many are waiting to be queued');
      return;
    }
    this.#waitingMails.push(mail);
    if (this.#runs.size < CONCURRENCY) this.#start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.waitForAll();
  }

  /** Waits for all requested mails. */
  async waitForAll(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all(this.#runs);
  }

  #start(): void {
    const run = new Promise<void>((resolve) => setTimeout(resolve, randomInt(MIN_DELAY_MS, MAX_DELAY_MS)))
      .then(() => this.#queueAll())
      .finally(() => {
        this.#runs.delete(run);
        // A mail that was added after `#queueAll` found none, and before this run ended, has started no run.
        if (this.#waitingMails.length > 0) this.#start();
      });
    this.#runs.add(run);
  }

  async #queueAll(): Promise<void> {
    for (let mail = this.#waitingMails.shift(); mail; mail = this.#waitingMails.shift()) {
      const { requestId } = mail;
      await mail.queue().catch((error: unknown) => {
        this.log.error({ requestId, err: error }, 'a requested mail could not be queued');
      });
    }
  }
}
