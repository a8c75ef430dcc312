/**
 * Queues a mail in the transaction of the change that it reports, so that neither is committed without the other (NTC-2).
 * `outbox-claims.ts` hands mails to the worker; `src/mail` sends them.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Keys } from '../../config/keys.js';
import type { Locale } from '../../contract/locale.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { interval } from '../../database/statement.js';
import { toShownNetwork } from '../audit/network.js';
import type { AuditContext } from '../audit/audit-log.js';
import { OneTimeSecrets } from '../secrets/one-time-secrets.js';
import type { ApplicationMailKind, CodeMail, MailKind, NoticeKind, RequestedMailKind } from './mail-kinds.js';

/** Lifetime of the link "that was not me", long enough for a holiday. */
export const NOT_ME_SECONDS = 7 * 24 * 3600;

/** Mails with a lower number are sent first. Rows that version 0.1 wrote have the number of notices. */
const MAIL_URGENCY = {
  /** A person waits on a page for the code, which expires within minutes. */
  code: 0,
  requested: 1,
  notice: 2,
  /** Operators may send many of these mails at the same time. */
  bulk: 3,
} as const;

/**
 * Kinds of mails that are useless without their link, with which the reader chooses a new password. `account-secured` may have such a
 * link too.
 */
export const PASSWORD_LINK_KINDS: readonly MailKind[] = ['password-reset', 'reset-link', 'invitation'];

/** The kinds with the urgency `requested`. Other kinds of `RequestedMailKind` have another urgency. */
const REQUESTED_KINDS: readonly MailKind[] = [
  'password-reset',
  'password-elsewhere',
  'code-not-sent',
  'account-secured',
  'change-announced',
  'account-exists',
  'sign-up-waits',
];
const BULK_KINDS: readonly MailKind[] = ['reset-link', 'invitation', 'join-invitation'];

function toUrgency(kind: MailKind): number {
  if (kind.endsWith('-code')) return MAIL_URGENCY.code;
  if (REQUESTED_KINDS.includes(kind)) return MAIL_URGENCY.requested;
  return BULK_KINDS.includes(kind) ? MAIL_URGENCY.bulk : MAIL_URGENCY.notice;
}

type MailValues = Readonly<Record<string, string | number>>;

export interface Notice {
  kind: NoticeKind;
  accountId: string;
  /** Values for the text, such as the name of a key or the number of remaining codes. No secrets. */
  values?: MailValues;
  /** Who made the change. If it was a person, the mail shows the network, so that readers can recognise their own network. */
  auditContext?: AuditContext;
  /** A former address. Default: the current address of the account. */
  recipient?: string;
  /** Token of the link "that was not me". Default: a new token. */
  token?: string;
  /** False for a notice without the link "that was not me". */
  hasLink?: boolean;
  /** The mail stays queued when the account is deleted in the same transaction. */
  outlivesAccount?: boolean;
}

export interface RequestedMail {
  kind: RequestedMailKind;
  accountId: string;
  /** Default: the account's address. */
  recipient?: string | undefined;
  /** Contains the token of the link or the code, if the mail has one; the stored values are sealed. */
  values: MailValues;
  /** Language of the page, which takes precedence over the language of the account. */
  locale?: Locale | undefined;
  /** Who requested the mail. If the account has no language, the mail has the language of their page. */
  auditContext?: AuditContext;
  /** After this time the mail is not sent. Absent if the mail has no link or code, or is useful even when its link has expired. */
  expiresAt?: Date;
}

/** A mail to a person who has no account. */
export interface AddressMail {
  kind: CodeMail | ApplicationMailKind | 'join-invitation';
  recipient: string;
  /** The stored values are sealed. */
  values: MailValues;
  /** Language of the page, or of the invitation. If unknown, the mail has the language of the installation. */
  locale: Locale | undefined;
  /** After this time the mail is not sent. */
  expiresAt?: Date;
}

interface MailCountQuery {
  kind: MailKind;
  accountId: string;
  seconds: number;
}

interface QueuedMail {
  kind: MailKind;
  accountId: string;
  recipient?: string | undefined;
  values: MailValues | (() => Promise<MailValues>);
  locale?: Locale | undefined;
  auditContext?: AuditContext | undefined;
  expiresAt?: Date;
  outlivesAccount?: boolean;
}

interface MailRow {
  kind: MailKind;
  recipient: string;
  accountId: string | null;
  expiresAt: Date | undefined;
}

@Injectable()
export class Outbox {
  #notifyQueued: () => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly secrets: OneTimeSecrets,
    @Inject(CONFIG) private readonly config: Pick<Config, 'language'>,
  ) {}

  /** @param listener is called when this process is about to commit a row; it must not throw */
  onQueued(listener: () => void): void {
    this.#notifyQueued = listener;
  }

  /** Wakes the worker of this process for a mail that is due now. */
  notifyQueued(): void {
    this.#notifyQueued();
  }

  /**
   * Queues a notice, by default to the account's address and with its own "that was not me" link (`secure-account.ts`). Without
   * a recipient, an account without an address gets no notice. A notice never has the language of the page, because an attacker could
   * choose that language.
   */
  async queueNotice(notice: Notice, trx: Transaction<Schema>): Promise<void> {
    const { kind, accountId, recipient, values = {}, hasLink = true, outlivesAccount = false } = notice;
    const issueToken = async () =>
      hasLink ? { token: notice.token ?? (await this.secrets.issue(buildNotMeLink(notice), trx)) } : {};
    const buildValues = async () => ({ ...values, ...toNetworkValue(notice), ...(await issueToken()) });
    await this.#queue({ kind, accountId, recipient, values: buildValues, outlivesAccount }, trx);
  }

  /** Queues a mail that is not a notice. An account without an address gets no mail, unless the mail specifies a recipient. */
  async queueRequested(mail: RequestedMail, trx: Transaction<Schema>): Promise<void> {
    await this.#queue(mail, trx);
  }

  /** Queues a mail to an address that belongs to no account. */
  async queueToAddress({ values, ...mail }: AddressMail, trx: Transaction<Schema>): Promise<void> {
    await this.#insert({ expiresAt: undefined, ...mail, accountId: null }, { locale: mail.locale, values }, trx);
  }

  /**
   * The account must be locked, so that the count stays correct. @returns number of mails of this kind that were queued for the
   * account within the last `seconds`
   */
  async countQueued({ kind, accountId, seconds }: MailCountQuery, trx: Transaction<Schema>): Promise<number> {
    const windowStart = sql<Date>`${this.database.now()} - ${interval(seconds)}`;
    const { count } = await trx
      .selectFrom('outbox')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('kind', '=', kind)
      .where('created_at', '>', windowStart)
      .executeTakeFirstOrThrow();
    return count;
  }

  async #queue(
    { kind, accountId, values, locale, auditContext, expiresAt, outlivesAccount, ...mail }: QueuedMail,
    trx: Transaction<Schema>,
  ): Promise<void> {
    const account = await trx.selectFrom('account').select(['email', 'language']).where('id', '=', accountId).executeTakeFirst();
    const recipient = mail.recipient ?? account?.email;
    if (!account || !recipient) return;
    const content = {
      locale: locale ?? account.language ?? auditContext?.locale,
      values: typeof values === 'function' ? await values() : values,
    };
    await this.#insert({ kind, recipient, accountId: outlivesAccount ? null : accountId, expiresAt }, content, trx);
  }

  async #insert(
    { kind, recipient, accountId, expiresAt }: MailRow,
    { locale, values }: { locale: Locale | undefined; values: MailValues },
    trx: Transaction<Schema>,
  ): Promise<void> {
    const now = this.database.now();
    await trx
      .insertInto('outbox')
      .values({
        account_id: accountId,
        kind,
        recipient,
        locale: locale ?? this.config.language.offered.fallback,
        payload: this.keys.seal('outbox', JSON.stringify(values)),
        created_at: now,
        next_try_at: now,
        urgency: toUrgency(kind),
        expires_at: expiresAt ?? null,
      })
      .execute();
    this.#notifyQueued();
  }
}

function buildNotMeLink({ kind, accountId }: Notice) {
  return { purpose: 'not-me', accountId, payload: kind, lifetimeSeconds: NOT_ME_SECONDS } as const;
}

function toNetworkValue({ auditContext }: Notice): { network?: string } {
  return auditContext?.actor === 'person' && auditContext.address !== undefined
    ? { network: toShownNetwork(auditContext.address) }
    : {};
}
