/**
 * Mails that were not delivered: a try failed, or they were abandoned. Lists them, counts them by cause, and schedules new tries. This
 * file never reads the sealed content of a mail.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { Database } from '../../database/database.js';
import { isCursor, toPageSize, toPage } from '../../database/row-pages.js';
import type { OutboxTable, Schema } from '../../database/schema.js';
import { Statement, type Placeholders } from '../../database/statement.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { Outbox, PASSWORD_LINK_KINDS } from './outbox.js';

/** Why a try failed. The causes that begin with `server-` concern the mail server; the others, except `unknown`, concern the mail. */
export const MAIL_CAUSES = [
  /** The server will never accept this mail, for example because there is no such mailbox. */
  'refused',
  /** The server may accept this mail later. */
  'postponed',
  'server-refused',
  'server-unreachable',
  'server-not-found',
  'server-tls',
  'server-login',
  'server-other',
  /** Foyer could not write the mail, for example because the secret that sealed it is no longer configured. */
  'unexpected',
  /** No try was finished, or another version of Foyer made the last try: a previous version, or a newer one with a cause of its own. */
  'unknown',
] as const;

export type MailCause = (typeof MAIL_CAUSES)[number];

/** Counts stop here, which limits their cost during a flood of mails. */
export const MAX_COUNT = 1000;
/** Maximum number of mails that one call schedules for a new try. */
const MAX_RETRIED = 1000;

export interface FailedMail {
  id: string;
  kind: string;
  recipient: string;
  accountId: string | null;
  username: string | null;
  tries: number;
  queuedAt: Date;
  /** Null for a mail that was abandoned. */
  nextTryAt: Date | null;
  abandonedAt: Date | null;
  expiresAt: Date | null;
  isExpired: boolean;
  cause: MailCause;
  code: string | null;
}

export interface FailedMailQuery {
  cause?: MailCause;
  state?: 'waiting' | 'abandoned';
  /** `nextCursor` of the previous page. */
  cursor?: string;
  /** At most 200. Default: 50. */
  limit?: number;
}

export interface CauseCount {
  cause: MailCause;
  /** At most one more than `MAX_COUNT`. */
  count: number;
  /** Number of mails that can be tried again. */
  retryable: number;
}

/**
 * `queued`: the mail is tried again. `waiting`: it is already due, or a worker is sending it. `outdated`: its link would go to an address
 * that the account no longer has.
 */
export type RetryOutcome = 'queued' | 'waiting' | 'gone' | 'sent' | 'expired' | 'outdated';

type Columns =
  | 'id'
  | 'kind'
  | 'recipient'
  | 'account_id'
  | 'tries'
  | 'created_at'
  | 'next_try_at'
  | 'abandoned_at'
  | 'expires_at';

interface Row extends Pick<OutboxTable, Exclude<Columns, 'id' | 'tries'>> {
  seq: number;
  tries: number;
  username: string | null;
  expired: boolean;
  cause: string;
  failure_code: string | null;
}

type Now = Pick<Placeholders<Record<string, unknown>>, 'now'>;

/** Repeats the condition and the expression of the indexes `outbox_failed` and `outbox_cause`. */
export const IS_FAILED = sql<boolean>`(q.sent_at is null and (q.abandoned_at is not null or q.cause is not null))`;
const CAUSE = sql<string>`coalesce(q.cause, 'unknown')`;

const isExpired = ({ now }: Now) => sql<boolean>`coalesce(q.expires_at <= ${now}, false)`;

/**
 * Whether a link for a new password would go to an address that the account no longer has, and that may now belong to
 * another person.
 */
const IS_OUTDATED = sql<boolean>`(q.kind in (${sql.join(PASSWORD_LINK_KINDS.map((kind) => sql.lit(kind)))})
  and not exists (select from account a where a.id = q.account_id and a.email = q.recipient))`;

/**
 * A mail that is due, or that a worker is sending, is not retried. A mail that was just queued again has 0 tries. Its `next_try_at`
 * alone does not show that it is due, because the transaction of a second operator may have begun earlier, with an earlier `now`.
 */
const isRetryable = ({ now }: Now) => sql<boolean>`(q.sent_at is null and not ${isExpired({ now })} and not ${IS_OUTDATED}
  and (q.abandoned_at is not null or (q.tries > 0 and q.next_try_at > ${now} and coalesce(q.claimed_until <= ${now}, true))))`;

/** The number of tries begins again at 0, so that the mail has as many tries as a new mail. */
const queueAgain = ({ now }: Now) => sql`update outbox q
  set abandoned_at = null, claimed_until = null, tries = 0, next_try_at = ${now}`;

type ListValues = { beforeSeq: number; max: number; state: string | null };

function selectPage({ param, now }: Placeholders<ListValues>, matches: RawBuilder<unknown>): RawBuilder<Row> {
  return sql<Row>`
    select q.id as seq, q.kind, q.recipient, q.account_id, a.username, q.tries, q.created_at, q.next_try_at, q.abandoned_at,
      q.expires_at, ${isExpired({ now })} as expired, ${CAUSE} as cause, q.failure_code
    from outbox q left join account a on a.id = q.account_id
    where ${IS_FAILED} and ${matches} and q.id < ${param('beforeSeq')}::bigint
      and (${param('state')}::text is null or (${param('state')}::text = 'abandoned') = (q.abandoned_at is not null))
    order by q.id desc limit ${param('max')}::integer`;
}

const LIST = new Statement<ListValues, Row>('failed-mails.list', (placeholders) => selectPage(placeholders, sql`true`));

const LIST_OF_CAUSE = new Statement<ListValues & { cause: string }, Row>('failed-mails.list-of-cause', (placeholders) =>
  selectPage(placeholders, sql`${CAUSE} = ${placeholders.param('cause')}::text`),
);

const FIND = new Statement<{ id: number }, Row & { sent: boolean; outdated: boolean }>(
  'failed-mails.find',
  ({ param, now }) => sql`
    select q.id as seq, q.kind, q.recipient, q.account_id, a.username, q.tries, q.created_at, q.next_try_at, q.abandoned_at,
      q.expires_at, ${isExpired({ now })} as expired, ${CAUSE} as cause, q.failure_code,
      q.sent_at is not null as sent, ${IS_OUTDATED} as outdated
    from outbox q left join account a on a.id = q.account_id
    where q.id = ${param('id')}::bigint`,
);

const COUNT = new Statement<{ causes: readonly string[]; max: number }, CauseCount>('failed-mails.count', ({ param, now }) => {
  const count = (matches: RawBuilder<unknown>) => sql`(select count(*)::integer from (
      select from outbox q where ${IS_FAILED} and ${CAUSE} = c.cause and ${matches} limit ${param('max')}::integer) counted)`;
  return sql`
      select c.cause, ${count(sql`true`)} as count, ${count(isRetryable({ now }))} as retryable
      from unnest(${param('causes')}::text[]) with ordinality c (cause, ordinal) order by c.ordinal`;
});

const RETRY = new Statement<{ id: number }, { account_id: string | null; kind: string; tries: number }>(
  'failed-mails.retry',
  ({ param, now }) => sql`
    with mail as (
      select q.id, q.tries from outbox q where q.id = ${param('id')}::bigint and ${isRetryable({ now })} for update of q)
    ${queueAgain({ now })} from mail where q.id = mail.id
    returning q.account_id, q.kind, mail.tries`,
);

const RETRY_CAUSE = new Statement<{ cause: string; max: number }, { id: number }>(
  'failed-mails.retry-cause',
  ({ param, now }) => sql`
    ${queueAgain({ now })}
    where q.id = any (array(
      select q.id from outbox q where ${IS_FAILED} and ${CAUSE} = ${param('cause')}::text and ${isRetryable({ now })}
      order by q.id limit ${param('max')}::integer for update skip locked))
    returning q.id`,
);

@Injectable()
export class FailedMails {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /** Lists the mails, newest first. A cursor that is not a number returns an empty page. */
  async list({ cause, state, cursor, limit }: FailedMailQuery): Promise<{ mails: FailedMail[]; nextCursor?: string }> {
    if (cursor !== undefined && !isCursor(cursor)) return { mails: [] };
    const size = toPageSize(limit);
    const values = { beforeSeq: Number(cursor ?? Number.MAX_SAFE_INTEGER), max: size + 1, state: state ?? null };
    const foundRows = await (cause === undefined
      ? this.database.run(LIST, values)
      : this.database.run(LIST_OF_CAUSE, { ...values, cause }));
    const { rows, ...next } = toPage(foundRows, size);
    return { mails: rows.map(toMail), ...next };
  }

  /** @returns the causes that have mails. A cause that a newer version stored is not counted */
  async count(): Promise<CauseCount[]> {
    const counts = await this.database.run(COUNT, { causes: MAIL_CAUSES, max: MAX_COUNT + 1 });
    return counts.filter(({ count }) => count > 0);
  }

  /**
   * Schedules a mail for a new try now, if it can be tried again. Only one of several concurrent calls does so.
   * @returns the outcome, and the mail if it still exists
   */
  async retry(id: number, auditContext: AuditContext): Promise<{ outcome: RetryOutcome; mail?: FailedMail }> {
    const isQueued = await this.database.transaction(async (trx) => {
      const [row] = await this.database.run(RETRY, { id }, trx);
      if (!row) return false;
      const { account_id: accountId, kind: mail, tries } = row;
      await this.#recordAndNotify({ ...auditContext, ...(accountId === null ? {} : { accountId }) }, { mail, tries }, trx);
      return true;
    });
    const [row] = await this.database.run(FIND, { id });
    if (!row) return { outcome: 'gone' };
    return { outcome: isQueued ? 'queued' : toOutcome(row), mail: toMail(row) };
  }

  /**
   * Schedules at most 1000 mails of one cause for a new try now, the oldest first.
   * @returns their number, and whether more mails may remain
   */
  async retryAll(cause: MailCause, auditContext: AuditContext): Promise<{ retried: number; hasMore: boolean }> {
    return this.database.transaction(async (trx) => {
      const { length: retried } = await this.database.run(RETRY_CAUSE, { cause, max: MAX_RETRIED }, trx);
      if (retried > 0) await this.#recordAndNotify(auditContext, { cause, mails: retried }, trx);
      return { retried, hasMore: retried === MAX_RETRIED };
    });
  }

  async #recordAndNotify(
    auditContext: AuditContext & { accountId?: string },
    detail: Readonly<Record<string, string | number>>,
    trx: Transaction<Schema>,
  ): Promise<void> {
    await this.audit.record({ ...auditContext, kind: 'mail.retried', detail }, trx);
    this.outbox.notifyQueued();
  }
}

function toOutcome({ sent, expired, outdated }: { sent: boolean; expired: boolean; outdated: boolean }): RetryOutcome {
  if (sent) return 'sent';
  if (expired) return 'expired';
  return outdated ? 'outdated' : 'waiting';
}

function toMail({ seq, created_at: queuedAt, abandoned_at: abandonedAt, cause, ...row }: Row): FailedMail {
  return {
    id: String(seq),
    kind: row.kind,
    recipient: row.recipient,
    accountId: row.account_id,
    username: row.username,
    tries: row.tries,
    queuedAt,
    nextTryAt: abandonedAt === null ? row.next_try_at : null,
    abandonedAt,
    expiresAt: row.expires_at,
    isExpired: row.expired,
    // A newer version may have stored another cause.
    cause: MAIL_CAUSES.find((knownCause) => knownCause === cause) ?? 'unknown',
    code: row.failure_code,
  };
}
