/** Hands queued mails to the worker and stores the results. A mail that is sent again has the same Message-ID. */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { Keys } from '../../config/keys.js';
import type { Locale } from '../../contract/locale.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { AuditLog } from '../audit/audit-log.js';
import type { MailCause } from './failed-mails.js';
import { LeaseQueue, type Claim } from './lease-queue.js';
import { Outbox } from './outbox.js';
import type { RetryDelay } from './retry-delay.js';

/** With the delays between them, the tries take most of a day. */
export const MAX_TRIES = 8;
export const MAIL_RETRY: RetryDelay = { firstSeconds: 30, growth: 4, longestSeconds: 6 * 3600 };

export interface ClaimedMail extends Claim {
  /** Number of tries that remain after this one; below 0 if the last try did not finish. */
  triesLeft: number;
  /** Rendering refuses an unknown kind, which a newer version of Foyer has written. */
  kind: string;
  recipient: string;
  locale: Locale;
  /** Username of the account; absent for a mail that belongs to no account. */
  username?: string;
  values: Readonly<Record<string, string | number>>;
  queuedAt: Date;
  /** The mail has expired and must not be sent. */
  expired: boolean;
}

export type AbandonReason = 'expired' | 'refused' | 'tries';

/** Why a try failed. */
export interface MailFailure {
  cause: MailCause;
  /** Codes of the mail client and server. Never their texts, which repeat addresses. */
  code?: string;
}

interface ClaimedRow extends Claim {
  kind: string;
  recipient: string;
  locale: string;
  username: string | null;
  payload: string;
  created_at: Date;
  expired: boolean;
}

interface ClaimKey extends Record<string, unknown> {
  id: number;
  tries: number;
}

const MAX_CODE_LENGTH = 100;

const IS_WAITING = sql<boolean>`sent_at is null and abandoned_at is null`;

const QUEUE = new LeaseQueue<ClaimedRow>({
  table: 'outbox',
  // Longer than an SMTP transaction may take.
  leaseSeconds: 180,
  retry: MAIL_RETRY,
  isWaiting: IS_WAITING,
  order: sql`urgency, next_try_at`,
  columns: (now) => sql`q.kind, q.recipient, q.locale, q.payload, q.created_at,
    (select a.username from account a where a.id = q.account_id) as username,
    coalesce(q.expires_at <= ${now}, false) as expired`,
});

/** Ignores the number of the try, because the mail was sent, no matter which worker has the row now. */
const MARK_SENT = new Statement<{ id: number }, never>(
  'outbox.sent',
  ({ param, now }) => sql`
    update outbox set sent_at = ${now}, claimed_until = null where id = ${param('id')} and ${IS_WAITING}`,
);

const ABANDON = new Statement<ClaimKey, { account_id: string | null }>(
  'outbox.abandon',
  ({ param, now }) => sql`
    update outbox set abandoned_at = ${now}, claimed_until = null
    where id = ${param('id')} and tries = ${param('tries')} and ${IS_WAITING}
    returning account_id`,
);

const NOTE_FAILURE = new Statement<ClaimKey & { cause: string; code: string | null }, never>(
  'outbox.note-failure',
  ({ param }) => sql`
    update outbox set cause = ${param('cause')}::text, failure_code = ${param('code')}::text
    where id = ${param('id')} and tries = ${param('tries')} and ${IS_WAITING}`,
);

@Injectable()
export class OutboxClaims {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /** @param listener is called when this process is about to commit a row; it must not throw */
  onQueued(listener: () => void): void {
    this.outbox.onQueued(listener);
  }

  /** @returns the most urgent due mails, at most `max` */
  async claim(max: number): Promise<ClaimedMail[]> {
    return this.#openAll(await QUEUE.claim(this.database, max));
  }

  /** @returns the mails that have been due longest, at most `max` */
  async claimOldest(max: number): Promise<ClaimedMail[]> {
    return this.#openAll(await QUEUE.claimOldest(this.database, max));
  }

  async markSent({ id }: ClaimedMail): Promise<void> {
    await this.database.run(MARK_SENT, { id });
  }

  /** Schedules another try, and stores why this try failed. */
  async postpone(mail: ClaimedMail, failure?: MailFailure): Promise<void> {
    if (failure) await this.#noteFailure(mail, failure);
    await QUEUE.postpone(this.database, mail);
  }

  /**
   * Stops trying to send a mail, and records that in the audit log.
   * @param failure why this try failed; absent if it did not fail, so that the cause of an earlier try stays
   */
  async abandon(mail: ClaimedMail, reason: AbandonReason, failure?: MailFailure): Promise<void> {
    const { id, tries, kind } = mail;
    await this.database.transaction(async (trx) => {
      if (failure) await this.#noteFailure(mail, failure, trx);
      const [row] = await this.database.run(ABANDON, { id, tries }, trx);
      if (!row) return;
      const owner = row.account_id === null ? {} : { accountId: row.account_id };
      await this.audit.record({ actor: 'system', kind: 'mail.abandoned', ...owner, detail: { mail: kind, reason, tries } }, trx);
    });
  }

  async #noteFailure({ id, tries }: ClaimedMail, { cause, code }: MailFailure, trx?: Transaction<Schema>): Promise<void> {
    await this.database.run(NOTE_FAILURE, { id, tries, cause, code: code?.slice(0, MAX_CODE_LENGTH) ?? null }, trx);
  }

  #openAll(rows: readonly ClaimedRow[]): ClaimedMail[] {
    return rows.map((row) => this.#open(row)).sort((one, other) => one.id - other.id);
  }

  #open({ id, tries, recipient, expired, ...row }: ClaimedRow): ClaimedMail {
    const values = this.keys.open('outbox', row.payload);
    return {
      id,
      tries,
      triesLeft: MAX_TRIES - tries,
      recipient,
      expired,
      kind: row.kind,
      locale: row.locale,
      ...(row.username === null ? {} : { username: row.username }),
      // Unreadable if the secret that sealed the values is no longer configured: a notice is then sent without its details, and a mail that
      // needs a link or a code is not sent, because rendering refuses it.
      values: values === null ? {} : (JSON.parse(values) as ClaimedMail['values']),
      queuedAt: row.created_at,
    };
  }
}
