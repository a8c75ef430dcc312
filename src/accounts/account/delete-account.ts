/**
 * Deletes an account with everything that is stored for it: password, factors, sessions, secrets, connections, counted
 * failures, queued mail. In the same transaction its sessions and grants at the OAuth server are queued for revocation,
 * and the audit log, which keeps the events of the account under its id, receives the last one. The usernames stay
 * reserved: whoever got one at once would receive trust and mail meant for the person (VAL-5).
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditContext } from '../audit/audit-log.js';
import { Attempts } from '../limits/attempts.js';
import { endEverySessionOf } from '../sessions/browser-sessions.js';
import { AccountNotFound } from './account.errors.js';
import type { Account } from './account.js';
import { reserveUsernamesOfDeleted } from './held-usernames.js';
import { lockAccount } from './lock.js';

@Injectable()
export class DeleteAccount {
  constructor(
    private readonly database: Database,
    private readonly attempts: Attempts,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'manage'>,
  ) {}

  /** @returns number of ended sessions @throws AccountNotFound */
  async delete({ id: accountId }: Pick<Account, 'id'>, by: AuditContext): Promise<number> {
    const { database, attempts, audit } = this;
    const now = database.now();
    return database.transaction(async (trx) => {
      const account = await lockAccount(accountId, trx);
      if (!account) throw new AccountNotFound();
      const sessions = await endEverySessionOf({ accountId, now, upstream: 'everything' }, trx);
      await attempts.forget({ id: accountId, username: account.username }, trx);
      const seconds = this.config.manage.heldNameSeconds;
      const { username, username_key: key } = account;
      await reserveUsernamesOfDeleted({ username, key, accountId, now, seconds }, trx);
      // Everything else refers to the account and goes with it.
      await trx.deleteFrom('account').where('id', '=', accountId).execute();
      await audit.record({ ...by, kind: 'account.deleted', accountId, detail: { sessions } }, trx);
      return sessions;
    });
  }
}
