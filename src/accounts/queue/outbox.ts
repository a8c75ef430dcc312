/**
 * Mail that is to be sent: written in the transaction of the change that it tells of, so neither is ever there without
 * the other (NTC-2). Handing it out is `outbox-claims.ts`, sending is `src/mail`.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { Keys } from '../../config/keys.js';
import { FALLBACK_LOCALE } from '../../contract/locale.js';
import type { Locale } from '../../contract/locale.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { interval } from '../../database/statement.js';
import { shownNetwork } from '../audit/network.js';
import type { AuditContext } from '../audit/audit-log.js';
import { OneTimeSecrets } from '../secrets/one-time-secrets.js';

/** Long enough for a holiday. */
export const NOT_ME_SECONDS = 7 * 24 * 3600;

/** A kind of second factor was set up or removed: `totp-added`. Its words are in the locales. */
export type FactorNotice = `${string}-added` | `${string}-removed`;

/** What a notice tells of (NTC-1). */
export type NoticeKind =
  | 'password-changed'
  | 'username-changed'
  | FactorNotice
  | 'recovery-codes-made'
  | 'recovery-code-used'
  | 'factor-stopped'
  | 'factors-reset'
  | 'provider-connected'
  | 'provider-disconnected';

/** A mail that somebody asked for and waits for. */
export type RequestedMailKind = 'password-reset' | 'account-secured' | CodeMail;

/** A code to type: `proof-code` in the account area, others for kinds of second factor. Its words are in the locales. */
export type CodeMail = `${string}-code`;

export type MailKind = NoticeKind | RequestedMailKind;

type MailValues = Readonly<Record<string, string | number>>;

export interface Notice {
  kind: NoticeKind;
  accountId: string;
  /** Values for the words of the mail: a key's name, how many codes are left. No secrets. */
  values?: MailValues;
  /** Who did it: a person's network is named, so that the reader can tell their own from another. */
  by?: AuditContext;
}

export interface RequestedMail {
  kind: RequestedMailKind;
  accountId: string;
  /** The token of its link is among them: rows are sealed. */
  values: MailValues;
  /** Of the page that it was asked on; the account's when that is not known. */
  locale?: Locale | undefined;
  /** Nobody can use it any more after that; left out where it is worth reading also without its link. */
  expiresAt?: Date;
}

interface RequestedLately {
  kind: RequestedMailKind;
  accountId: string;
  seconds: number;
}

interface QueuedMail {
  kind: MailKind;
  accountId: string;
  values: MailValues | (() => Promise<MailValues>);
  locale?: Locale | undefined;
  expiresAt?: Date;
}

@Injectable()
export class Outbox {
  #afterQueueing: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly secrets: OneTimeSecrets,
  ) {}

  /** @param listener hears that a row is about to be committed in this process; it must not throw */
  whenQueued(listener: () => void): void {
    this.#afterQueueing = listener;
  }

  /**
   * Queues a notice to the account's address, with a link of its own that says "that was not me" (`secure-account.ts`). An
   * account without an address gets none.
   */
  async queueNotice({ kind, accountId, values = {}, by }: Notice, trx: Transaction<Schema>): Promise<void> {
    const link = { purpose: 'not-me', accountId, payload: kind, lifetimeSeconds: NOT_ME_SECONDS } as const;
    const network = by?.actor === 'person' && by.address !== undefined ? { network: shownNetwork(by.address) } : {};
    const written = async () => ({ ...values, ...network, token: await this.secrets.issue(link, trx) });
    await this.#queue({ kind, accountId, values: written }, trx);
  }

  /** Queues a mail that does not arrive after its time. An account without an address gets none. */
  async queueRequested(mail: RequestedMail, trx: Transaction<Schema>): Promise<void> {
    await this.#queue(mail, trx);
  }

  /** @returns how many of a kind were asked for by this account lately; the caller holds the account's lock */
  async countAsked({ kind, accountId, seconds }: RequestedLately, trx: Transaction<Schema>): Promise<number> {
    const since = sql<Date>`${this.database.now()} - ${interval(seconds)}`;
    const { count } = await trx
      .selectFrom('outbox')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where('created_at', '>', since)
      .executeTakeFirstOrThrow();
    return count;
  }

  async #queue({ kind, accountId, values, locale, expiresAt }: QueuedMail, trx: Transaction<Schema>): Promise<void> {
    const account = await trx.selectFrom('account').select(['email', 'language']).where('id', '=', accountId).executeTakeFirst();
    if (!account?.email) return;
    const now = this.database.now();
    await trx
      .insertInto('outbox')
      .values({
        account_id: accountId,
        kind,
        recipient: account.email,
        locale: locale ?? account.language ?? FALLBACK_LOCALE,
        payload: this.keys.seal('outbox', JSON.stringify(typeof values === 'function' ? await values() : values)),
        created_at: now,
        next_try_at: now,
        expires_at: expiresAt ?? null,
      })
      .execute();
    this.#afterQueueing();
  }
}
