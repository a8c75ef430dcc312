/** Gives an account a password. The failures counted so far are forgotten with the old one; sessions are the caller's. */
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { PasswordFault } from '../../contract/manage-state.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { AccountNotFound } from '../account/account.errors.js';
import { endAccessOf } from '../account/security-stamp.js';
import { isAccountId } from '../account/account.js';
import type { Account } from '../account/account.js';
import { Attempts } from '../limits/attempts.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditContext } from '../audit/audit-log.js';
import { PASSWORD_RESETS, discardSecretsOf } from '../secrets/one-time-secrets.js';
import { PasswordHasher } from './hasher.js';
import { endPendingOf } from '../sessions/pending-authentications.js';
import { checkPassword } from './policy.js';

export interface NewPassword {
  account: Pick<Account, 'id' | 'username'>;
  /** Of a password that has been found good. */
  hash: string;
  by: AuditContext;
  /** The event in the audit log. */
  kind?: 'password.changed' | 'password.reset';
}

@Injectable()
export class SetPassword {
  constructor(
    private readonly database: Database,
    private readonly hasher: PasswordHasher,
    private readonly attempts: Attempts,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'password' | 'app'>,
  ) {}

  /** For callers that make the account first: what would be wrong with this password for somebody of that name. */
  faultsOf(password: string, username: string): PasswordFault[] {
    const { password: policy, app } = this.config;
    return checkPassword(password, { policy, username, appName: app.name });
  }

  /** Of a password that has been found good. @throws HasherBusy */
  hash(password: string): Promise<string> {
    return this.hasher.hash(password);
  }

  /** @returns what is wrong with the password; an empty list means that it is set. Throws AccountNotFound, HasherBusy */
  async setPassword(accountId: string, password: string, by: AuditContext = { actor: 'system' }): Promise<PasswordFault[]> {
    const { database } = this;
    if (!isAccountId(accountId)) throw new AccountNotFound();
    const account = await database.db.selectFrom('account').select('username').where('id', '=', accountId).executeTakeFirst();
    if (!account) throw new AccountNotFound();
    const faults = this.faultsOf(password, account.username);
    if (faults.length > 0) return faults;
    const hash = await this.hash(password);
    await database.transaction((trx) => this.write({ account: { id: accountId, username: account.username }, hash, by }, trx));
    return [];
  }

  /** Part of the transaction of a change. */
  async write({ account, hash, by, kind = 'password.changed' }: NewPassword, trx: Transaction<Schema>): Promise<void> {
    const { database, attempts, audit } = this;
    const { id: accountId, username } = account;
    const changed_at = database.now();
    // First: a sign-in asks for the account and then for its password.
    await endAccessOf({ accountId, now: changed_at }, trx);
    await trx
      .insertInto('password_credential')
      .values({ account_id: accountId, hash, changed_at })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ hash, changed_at }))
      .execute();
    await attempts.clear(username, accountId, trx);
    // What was begun with the old password does not go on.
    await endPendingOf(accountId, trx);
    await discardSecretsOf({ accountId, purposes: PASSWORD_RESETS }, trx);
    await audit.record({ ...by, kind, accountId }, trx);
  }
}
