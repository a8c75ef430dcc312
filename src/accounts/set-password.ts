/** Gives an account a password. The failures counted so far are forgotten with the old one; sessions are the caller's. */
import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import { AccountNotFound } from './account.errors.js';
import { isAccountId } from './account.js';
import type { Attempts } from './attempts.js';
import type { AuditContext, AuditTrail } from './audit-trail.js';
import type { PasswordHasher } from './password-hasher.js';
import { checkPassword } from './password-policy.js';
import type { PasswordFault } from './password-policy.js';

export interface SetPasswordParts {
  database: Database;
  hasher: PasswordHasher;
  attempts: Attempts;
  audit: AuditTrail;
  policy: Config['password'];
  appName: string;
}

export class SetPassword {
  constructor(private readonly parts: SetPasswordParts) {}

  /** For callers that make the account first: what would be wrong with this password for somebody of that name. */
  faultsOf(password: string, username: string): PasswordFault[] {
    const { policy, appName } = this.parts;
    return checkPassword(password, { policy, username, appName });
  }

  /** @returns what is wrong with the password; an empty list means that it is set. Throws AccountNotFound, HasherBusy */
  async setPassword(accountId: string, password: string, by: AuditContext = { actor: 'system' }): Promise<PasswordFault[]> {
    const { database, hasher, attempts, audit } = this.parts;
    if (!isAccountId(accountId)) throw new AccountNotFound();
    const account = await database.db.selectFrom('account').select('username').where('id', '=', accountId).executeTakeFirst();
    if (!account) throw new AccountNotFound();
    const faults = this.faultsOf(password, account.username);
    if (faults.length > 0) return faults;
    const hash = await hasher.hash(password);
    const changed_at = database.now();
    await database.transaction(async (trx) => {
      await trx
        .insertInto('password_credential')
        .values({ account_id: accountId, hash, changed_at })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ hash, changed_at }))
        .execute();
      await attempts.clear(account.username, accountId, trx);
      await audit.record({ ...by, kind: 'password.changed', accountId }, trx);
    });
    return [];
  }
}
