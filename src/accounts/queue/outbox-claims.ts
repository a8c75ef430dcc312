/**
 * Hands waiting mail to those who send it, each row to one of them at a time, and keeps what came of it. A claim is a lease:
 * whoever dies with one loses it, and the mail is tried again under the same Message-ID (at least once, never not at all).
 * The number of the try is the claim's mark: a sender that comes late cannot undo what a later one has written.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Keys } from '../../config/keys.js';
import { FALLBACK_LOCALE, isLocale } from '../../contract/locale.js';
import type { Locale } from '../../contract/locale.js';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { AuditLog } from '../audit/audit-log.js';
import { Outbox } from './outbox.js';
import type { MailKind } from './outbox.js';

/** Longer than a mail server may keep a sender waiting. */
const LEASE = sql.raw(`interval '3 minutes'`);

export interface ClaimedMail {
  id: number;
  /** From 1 on: which try this is. */
  tries: number;
  kind: MailKind;
  recipient: string;
  locale: Locale;
  /** Of the account; absent when it has gone. */
  username?: string;
  values: Readonly<Record<string, string | number>>;
  queuedAt: Date;
  /** It has come to the end of its time and must not be sent. */
  expired: boolean;
}

export type AbandonReason = 'expired' | 'refused' | 'tries';

interface ClaimedRow {
  id: number;
  tries: number;
  kind: string;
  recipient: string;
  locale: string;
  username: string | null;
  payload: string;
  created_at: Date;
  expired: boolean;
}

interface Mark extends Record<string, unknown> {
  id: number;
  tries: number;
}

const CLAIM = new Statement<{ most: number }, ClaimedRow>(
  'outbox.claim',
  ({ slot, now }) => sql`
    update outbox o set claimed_until = ${now} + ${LEASE}, tries = o.tries + 1
    where id = any (array(
      select id from outbox
      where sent_at is null and abandoned_at is null and next_try_at <= ${now}
        and (claimed_until is null or claimed_until <= ${now})
      order by next_try_at limit ${slot('most')}::integer for update skip locked))
    returning o.id, o.tries, o.kind, o.recipient, o.locale, o.payload, o.created_at,
      (select a.username from account a where a.id = o.account_id) as username,
      coalesce(o.expires_at <= ${now}, false) as expired`,
);

/** Without the mark: a mail that has gone out has gone out, whoever holds the row now. */
const SENT = new Statement<{ id: number }, never>(
  'outbox.sent',
  ({ slot, now }) => sql`
    update outbox set sent_at = ${now}, claimed_until = null where id = ${slot('id')} and sent_at is null and abandoned_at is null`,
);

const LATER = new Statement<Mark & { seconds: number }, never>(
  'outbox.later',
  ({ slot, now }) => sql`
    update outbox
    set claimed_until = null, next_try_at = ${now} + ${slot('seconds')}::double precision * interval '1 second'
    where id = ${slot('id')} and tries = ${slot('tries')} and sent_at is null and abandoned_at is null`,
);

const ABANDON = new Statement<Mark, { account_id: string | null }>(
  'outbox.abandon',
  ({ slot, now }) => sql`
    update outbox set abandoned_at = ${now}, claimed_until = null
    where id = ${slot('id')} and tries = ${slot('tries')} and sent_at is null and abandoned_at is null
    returning account_id`,
);

@Injectable()
export class OutboxClaims {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /** @param listener hears that a row is about to be committed in this process; it must not throw */
  whenQueued(listener: () => void): void {
    this.outbox.whenQueued(listener);
  }

  /** @returns at most so many mails whose time has come, the longest waiting first */
  async claim(most: number): Promise<ClaimedMail[]> {
    const rows = await this.database.run(CLAIM, { most });
    return rows.map((row) => this.#opened(row)).sort((one, other) => one.id - other.id);
  }

  async sent({ id }: ClaimedMail): Promise<void> {
    await this.database.run(SENT, { id });
  }

  async later({ id, tries }: ClaimedMail, seconds: number): Promise<void> {
    await this.database.run(LATER, { id, tries, seconds });
  }

  /** Gives a mail up, and records it in the audit log. */
  async abandon({ id, tries, kind }: ClaimedMail, reason: AbandonReason): Promise<void> {
    await this.database.transaction(async (trx) => {
      const [row] = await this.database.run(ABANDON, { id, tries }, trx);
      if (!row) return;
      const of = row.account_id === null ? {} : { accountId: row.account_id };
      await this.audit.record({ actor: 'system', kind: 'mail.abandoned', ...of, detail: { mail: kind, reason, tries } }, trx);
    });
  }

  #opened({ id, tries, recipient, expired, ...row }: ClaimedRow): ClaimedMail {
    const values = this.keys.open('outbox', row.payload);
    return {
      id,
      tries,
      recipient,
      expired,
      // A newer version may have written a kind that is unknown here: whoever renders it finds out.
      kind: row.kind as MailKind,
      locale: isLocale(row.locale) ? row.locale : FALLBACK_LOCALE,
      ...(row.username === null ? {} : { username: row.username }),
      // Sealed with a secret that is no longer listed: the notice itself is worth more than its details.
      values: values === null ? {} : (JSON.parse(values) as ClaimedMail['values']),
      queuedAt: row.created_at,
    };
  }
}
