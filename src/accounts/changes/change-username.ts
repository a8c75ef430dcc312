/**
 * Changes the username at the request of the owner of the account (VAL-5). The old name stays reserved for the account, and the
 * failed attempts that were counted for the old name count for the new name.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { violatesUnique } from '../../database/failures.js';
import { toUsernameColumns, type UsernameColumns } from '../account/columns.js';
import { toUsernameKey } from '../account/username.js';
import { AccountNames } from '../account/account-names.js';
import { lockActive, type OwnChange } from '../account/lock.js';
import { AccountDisabled, UsernameElsewhere, UsernameTaken } from '../account/account.errors.js';
import type { Account } from '../account/account.js';
import { Attempts } from '../limits/attempts.js';
import { AuditLog } from '../audit/audit-log.js';
import { requireNotFrozen } from '../account/credential-freeze.js';
import { reserveUsername, requireFewReservations, requireNotReserved } from '../account/held-usernames.js';
import { Outbox } from '../queue/outbox.js';
import { findSource } from '../account/linked-source.js';

@Injectable()
export class ChangeUsername {
  constructor(
    private readonly database: Database,
    private readonly attempts: Attempts,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
    private readonly names: AccountNames,
    @Inject(CONFIG) private readonly config: Pick<Config, 'manage'>,
  ) {}

  /** Whether the account belongs to a source or provider, so that its username cannot be changed here. */
  async isElsewhere(accountId: string): Promise<boolean> {
    return (await findSource(accountId, this.database.db)) !== null;
  }

  /**
   * Does nothing if the name is the current one.
   * @throws AccountFieldInvalid, UsernameTaken, UsernameElsewhere, TooManyHeldUsernames, AccountDisabled, CredentialsFrozen, ChangeRefused
   */
  async change({ id, username }: Pick<Account, 'id' | 'username'>, newUsername: string, auditContext: OwnChange): Promise<void> {
    const columns = toUsernameColumns(newUsername);
    if (columns.username_key !== toUsernameKey(username)) await this.names.requireUnknownToSources(columns.username, id);
    try {
      await this.#write(id, columns, auditContext);
    } catch (error) {
      if (violatesUnique(error, 'account_username_key')) throw new UsernameTaken();
      throw error;
    }
  }

  async #write(accountId: string, columns: UsernameColumns, { manageSession, ...auditContext }: OwnChange): Promise<void> {
    const { database, attempts, audit, outbox } = this;
    const now = database.now();
    const key = columns.username_key;
    await database.transaction(async (trx) => {
      const accountBefore = await lockActive(accountId, trx);
      if (!accountBefore) throw new AccountDisabled();
      await manageSession.require(trx);
      await requireNotFrozen({ accountId, now }, trx);
      if (accountBefore.username === columns.username) return;
      if ((await findSource(accountId, trx)) !== null) throw new UsernameElsewhere();
      await trx
        .updateTable('account')
        .set({ ...columns, updated_at: now })
        .where('id', '=', accountId)
        .execute();
      await this.names.claim({ accountId, username: columns.username, ownEmailKey: accountBefore.email_key }, trx);
      if (accountBefore.username_key !== key) {
        await requireNotReserved({ key, accountId, now }, trx);
        await trx.deleteFrom('held_username').where('username_key', '=', key).execute();
        await requireFewReservations({ accountId, now }, trx);
        const formerName = { username: accountBefore.username, key: accountBefore.username_key };
        await reserveUsername({ ...formerName, accountId, now, seconds: this.config.manage.heldNameSeconds }, trx);
        await attempts.rename(accountBefore.username, columns.username, trx);
      }
      await audit.record({ ...auditContext, kind: 'username.changed', accountId }, trx);
      await outbox.queueNotice(
        { kind: 'username-changed', accountId, values: { username: columns.username }, auditContext },
        trx,
      );
    });
  }
}
