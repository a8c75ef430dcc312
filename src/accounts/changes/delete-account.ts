/**
 * Deletes an account with everything that is stored for it: password, factors, sessions, secrets, connections, counted
 * failures, queued mail. In the same transaction its sessions and grants at Hydra are queued for revocation, and the deletion
 * is recorded in the audit log, which keeps the events of the account under its id. The usernames stay reserved: otherwise
 * a person who took one of them would receive trust and mail meant for the former owner (VAL-5).
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { Database } from '../../database/database.js';
import type { AccountRow, Schema } from '../../database/schema.js';
import { FIND_SUBJECT } from '../account/account-subjects.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { Attempts } from '../limits/attempts.js';
import { Outbox } from '../queue/outbox.js';
import { endAllSessions } from '../sessions/browser-sessions.js';
import { AccountNotFound } from '../account/account.errors.js';
import type { Account } from '../account/account.js';
import { selectRestorableEmails } from '../account/former-emails.js';
import { keepUsernamesReserved } from '../account/held-usernames.js';
import { lockAccount } from '../account/lock.js';

@Injectable()
export class DeleteAccount {
  constructor(
    private readonly database: Database,
    private readonly attempts: Attempts,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
    @Inject(CONFIG) private readonly config: Pick<Config, 'manage'>,
  ) {}

  /** @returns number of ended sessions @throws AccountNotFound */
  async delete({ id: accountId }: Pick<Account, 'id'>, auditContext: AuditContext): Promise<number> {
    return this.database.transaction((trx) => this.deleteWithin(accountId, auditContext, trx));
  }

  /** Does the same as `delete`, in the transaction of another change. */
  async deleteWithin(accountId: string, auditContext: AuditContext, trx: Transaction<Schema>): Promise<number> {
    const account = await lockAccount(accountId, trx);
    if (!account) throw new AccountNotFound();
    return this.#deleteLocked(account, { accountId, auditContext }, trx);
  }

  /**
   * Deletes an account whose wait is over (`account-deletions.ts`), and queues a last mail. Deletes nothing if `selectDueDeletions`
   * does not select the account.
   * @returns whether this call deleted the account
   */
  async deleteDue(accountId: string): Promise<boolean> {
    const { database, outbox } = this;
    return database.transaction(async (trx) => {
      const account = await lockAccount(accountId, trx);
      // Read after the lock: the wait may have been cancelled, or begun again.
      const wait =
        account && (await selectDueDeletions(database.now(), trx).where('d.account_id', '=', accountId).executeTakeFirst());
      if (!wait) return false;
      const { username } = account;
      await outbox.queueNotice(
        { kind: 'account-deleted', accountId, values: { username }, hasLink: false, outlivesAccount: true },
        trx,
      );
      await this.#deleteLocked(account, { accountId, auditContext: { actor: 'system' }, requestedBy: wait.requested_by }, trx);
      return true;
    });
  }

  async #deleteLocked(
    { username, username_key: key }: Pick<AccountRow, 'username' | 'username_key'>,
    {
      accountId,
      auditContext,
      requestedBy,
    }: { accountId: string; auditContext: AuditContext; requestedBy?: 'person' | 'operator' },
    trx: Transaction<Schema>,
  ): Promise<number> {
    const now = this.database.now();
    const [subjectRow] = await this.database.run(FIND_SUBJECT, { id: accountId }, trx);
    const sessions = await endAllSessions({ accountId, now, upstream: 'everything' }, trx);
    await this.attempts.forget({ id: accountId, username }, trx);
    const seconds = this.config.manage.heldNameSeconds;
    await keepUsernamesReserved({ username, key, accountId, now, seconds }, trx);
    await deleteInvitationAndApplication(accountId, trx);
    // Other rows that refer to the account are deleted with it, or lose the reference (foreign keys).
    await trx.deleteFrom('account').where('id', '=', accountId).execute();
    // Apps identify the account by its subject, even after it is deleted.
    const detail = { sessions, ...defined({ by: requestedBy, subject: subjectRow?.subject }) };
    await this.audit.record({ ...auditContext, kind: 'account.deleted', accountId, detail }, trx);
    return sessions;
  }
}

/**
 * An open invitation for the address would create the account again, with the groups of the invitation, and so would an application
 * as soon as it is approved. Anybody can have an account with an address that is not verified, so the deletion of such an account
 * ends neither.
 */
async function deleteInvitationAndApplication(accountId: string, trx: Transaction<Schema>): Promise<void> {
  const address = trx.selectFrom('account').select('email_key').where('id', '=', accountId).where('email_verified', '=', true);
  await trx.deleteFrom('invitation').where('email_key', '=', address).execute();
  await trx.deleteFrom('sign_up_application').where('email_key', '=', address).execute();
}

/**
 * Selects the accounts to delete: their wait is over, their credentials are not frozen, and no link that restores a former address
 * can still undo a deletion that a person requested. Frozen credentials stop the deletion because somebody else who had access may
 * have persuaded an operator to begin the wait.
 */
export function selectDueDeletions(now: RawBuilder<Date>, db: Kysely<Schema>) {
  return db
    .selectFrom('account_deletion as d')
    .innerJoin('account as a', 'a.id', 'd.account_id')
    .select(['d.account_id', 'd.requested_by'])
    .where('d.due_at', '<=', now)
    .where(({ or, eb }) => or([eb('a.credentials_frozen_until', 'is', null), eb('a.credentials_frozen_until', '<=', now)]))
    .where(({ or, eb, not, exists }) => or([eb('d.requested_by', '=', 'operator'), not(exists(selectRestoreLinks(now, db)))]));
}

/** A thief may have changed the address and requested the deletion, while the owner still has the link that undoes both. */
function selectRestoreLinks(now: RawBuilder<Date>, db: Kysely<Schema>) {
  return selectRestorableEmails(now, db).select('f.id').whereRef('f.account_id', '=', sql.ref('d.account_id'));
}
