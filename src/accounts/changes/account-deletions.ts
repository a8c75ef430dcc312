/**
 * The wait before an account is deleted. The person or an operator begins it. Until the account is deleted, the person can cancel
 * the deletion: in the account area, by the link in a mail, or by "that was not me" (`secure-account.ts`). An operator can cancel
 * it too, and a source that gives the account to another person cancels a deletion that the previous person requested. The account
 * stays usable in the meantime. `due-deletions.ts` deletes the accounts whose wait is over.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { interval, Statement } from '../../database/statement.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { NOT_ME_SECONDS, Outbox } from '../queue/outbox.js';
import { OneTimeSecrets } from '../secrets/one-time-secrets.js';
import { AccountDisabled, AccountNotFound } from '../account/account.errors.js';
import { requireNotFrozen } from '../account/credential-freeze.js';
import { selectRestorableEmails } from '../account/former-emails.js';
import { lockAccount, lockActive, type OwnChange } from '../account/lock.js';

const DAY_SECONDS = 24 * 3600;

/**
 * How a deletion was cancelled: in the account area, by the link in the mail, by "that was not me", by an operator, or by the
 * source that gave the account to another person.
 */
type CancelWay = 'area' | 'mail' | 'not-me' | 'operator' | 'source';

const FIND = new Statement<{ account: string }, { due_at: Date }>(
  'account-deletion.find',
  ({ param }) => sql`select due_at from account_deletion where account_id = ${param('account')}`,
);

@Injectable()
export class AccountDeletions {
  constructor(
    private readonly database: Database,
    private readonly secrets: OneTimeSecrets,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
    @Inject(CONFIG) private readonly config: Pick<Config, 'manage'>,
  ) {}

  /** Length of the wait, in days, unless an operator chooses another length. */
  get waitDays(): number {
    return this.config.manage.deletionWaitDays;
  }

  /** @returns the end of the wait; null if no deletion is pending */
  async find(accountId: string, trx?: Transaction<Schema>): Promise<Date | null> {
    return (await this.database.run(FIND, { account: accountId }, trx))[0]?.due_at ?? null;
  }

  /**
   * Begins the wait at the request of the person, unless it has already begun.
   * @returns the end of the wait
   * @throws AccountDisabled, CredentialsFrozen, ChangeRefused
   */
  async request(accountId: string, { manageSession, ...auditContext }: OwnChange): Promise<Date> {
    return this.database.transaction(async (trx) => {
      if (!(await lockActive(accountId, trx))) throw new AccountDisabled();
      await manageSession.require(trx);
      await requireNotFrozen({ accountId, now: this.database.now() }, trx);
      return (await this.find(accountId, trx)) ?? this.#begin({ accountId, days: this.waitDays, auditContext }, trx);
    });
  }

  /**
   * Begins the wait for an operator, and replaces a wait that has already begun.
   * @param days default: the setting
   * @throws AccountNotFound
   */
  async schedule(accountId: string, auditContext: AuditContext, days = this.waitDays): Promise<Date> {
    return this.database.transaction(async (trx) => {
      if (!(await lockAccount(accountId, trx))) throw new AccountNotFound();
      return this.#begin({ accountId, days, auditContext }, trx);
    });
  }

  /** Idempotent. @returns whether the account was about to be deleted */
  async cancel(accountId: string, auditContext: AuditContext, way: CancelWay): Promise<boolean> {
    const { database, audit, outbox } = this;
    return database.transaction(async (trx) => {
      if (!(await lockAccount(accountId, trx))) return false;
      if (!(await removeDeletion(accountId, { audit, auditContext, way }, trx))) return false;
      await outbox.queueNotice({ kind: 'deletion-cancelled', accountId, auditContext }, trx);
      return true;
    });
  }

  /** @param token from the mail @returns the id of the account; null for an unknown or expired token, or a disabled account */
  async findAccountId(token: string): Promise<string | null> {
    const accountId = (await this.secrets.find('account-keep', token))?.accountId ?? null;
    if (accountId === null) return null;
    const { db } = this.database;
    const account = await db.selectFrom('account').select('status').where('id', '=', accountId).executeTakeFirst();
    return account?.status === 'active' ? accountId : null;
  }

  async #begin(
    { accountId, days, auditContext }: { accountId: string; days: number; auditContext: AuditContext },
    trx: Transaction<Schema>,
  ): Promise<Date> {
    const { database, secrets, audit, outbox } = this;
    const now = database.now();
    const lifetimeSeconds = days * DAY_SECONDS;
    const due_at = sql<Date>`${now} + ${interval(lifetimeSeconds)}`;
    const values = {
      requested_by: auditContext.actor === 'operator' ? 'operator' : 'person',
      requested_at: now,
      due_at,
    } as const;
    const { due_at: dueAt } = await trx
      .insertInto('account_deletion')
      .values({ account_id: accountId, ...values })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
      .returning('due_at')
      .executeTakeFirstOrThrow();
    const token = await secrets.issue({ purpose: 'account-keep', accountId, lifetimeSeconds }, trx);
    const mail = { keep: token, due: dueAt.toISOString() };
    await outbox.queueNotice({ kind: 'deletion-requested', accountId, values: mail, auditContext }, trx);
    await this.#notifyFormerAddresses({ accountId, dueAt, auditContext }, trx);
    await audit.record({ ...auditContext, kind: 'deletion.requested', accountId, detail: { due: dueAt.toISOString() } }, trx);
    return dueAt;
  }

  /**
   * The current address may belong to a thief, while the owner of the account still reads a former address. The link works like the
   * link in the notice about the change of the address.
   */
  async #notifyFormerAddresses(
    { accountId, dueAt, auditContext }: { accountId: string; dueAt: Date; auditContext: AuditContext },
    trx: Transaction<Schema>,
  ): Promise<void> {
    const { database, secrets, outbox } = this;
    const formerEmails = selectRestorableEmails(database.now(), trx)
      .select(['f.id', 'f.email'])
      .where('f.account_id', '=', accountId);
    for (const { id, email: recipient } of await formerEmails.orderBy('f.id').execute()) {
      const link = { purpose: 'email-restore', accountId, payload: String(id), lifetimeSeconds: NOT_ME_SECONDS } as const;
      const token = await secrets.issue(link, trx);
      const values = { due: dueAt.toISOString() };
      await outbox.queueNotice({ kind: 'deletion-requested', accountId, recipient, token, values, auditContext }, trx);
    }
  }
}

/**
 * Runs while the account is locked. A source cancels only the deletion that the person requested, and not that of an operator.
 * @returns whether this call cancelled a deletion
 */
export async function removeDeletion(
  accountId: string,
  { audit, auditContext, way }: { audit: AuditLog; auditContext: AuditContext; way: CancelWay },
  trx: Transaction<Schema>,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('account_deletion')
    .where('account_id', '=', accountId)
    .$if(way === 'source', (query) => query.where('requested_by', '=', 'person'))
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  await audit.record({ ...auditContext, kind: 'deletion.cancelled', accountId, detail: { way } }, trx);
  return true;
}
