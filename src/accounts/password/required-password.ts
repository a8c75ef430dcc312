/**
 * Requires a new password of an account: the person chooses it at the next sign-in with the password, after the second factor or passkey
 * of the account, before the app is reached. The requirement ends with any new or deleted password (migration 64).
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import type { Logger } from 'pino';
import { LOG } from '../../config/log.token.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { NoPasswordHere, PasswordElsewhere } from '../account/account.errors.js';
import type { Account } from '../account/account.js';
import { lockAccount } from '../account/lock.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { requireNewPassword } from '../account/password-requirement.js';
import { PASSWORD_VERSION } from '../account/password-version.js';
import { PasswordRules } from './password-rules.js';
import { SetPassword } from './set-password.js';

interface PasswordWithVersion {
  password: string;
  version: string | undefined;
}

@Injectable()
export class RequiredPasswords {
  constructor(
    readonly database: Database,
    private readonly setPassword: SetPassword,
    private readonly rules: PasswordRules,
    readonly audit: AuditLog,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /**
   * Idempotent. @returns whether a new password was required before
   * @throws PasswordElsewhere, NoPasswordHere
   */
  async require({ id: accountId }: Account, auditContext: AuditContext): Promise<boolean> {
    return this.database.transaction(async (trx) => {
      await lockAccount(accountId, trx);
      if ((await this.setPassword.findReplacingSource(accountId, trx)) !== null) throw new PasswordElsewhere();
      const password = trx.selectFrom('password_credential').select('account_id').where('account_id', '=', accountId);
      if (!(await password.executeTakeFirst())) throw new NoPasswordHere();
      return !(await requireNewPassword({ accountId, reason: 'operator', auditContext }, this, trx));
    });
  }

  /**
   * Requires a new password if the password that was just proven is in `BREACHED_LIST`. Runs only after a right password, so that its
   * duration reveals nothing to other people. Never throws: a failure must not prevent the sign-in, and the next sign-in checks again.
   * @param provenPassword `version`: version of the password; undefined if the password is not stored in Foyer
   * @returns the account, with the requirement if there is one
   */
  async requireIfBreached(account: Account, provenPassword: PasswordWithVersion, auditContext: AuditContext): Promise<Account> {
    const { password, version } = provenPassword;
    if (version === undefined || account.requiredPassword || !(await this.rules.isBreached(password))) return account;
    try {
      const requiredSince = await this.database.transaction((trx) =>
        this.#requireFor({ accountId: account.id, version, auditContext }, trx),
      );
      return requiredSince === null ? account : { ...account, requiredPassword: { reason: 'breached', since: requiredSince } };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.error({ reason, accountId: account.id }, 'a new password could not be required in place of a breached password');
      return account;
    }
  }

  /** @returns null if the password has been replaced since */
  async #requireFor(
    { accountId, version, auditContext }: { accountId: string; version: string; auditContext: AuditContext },
    trx: Transaction<Schema>,
  ): Promise<Date | null> {
    await lockAccount(accountId, trx);
    const credential = trx.selectFrom('password_credential as p').select('p.account_id').where('p.account_id', '=', accountId);
    if (!(await credential.where(PASSWORD_VERSION, '=', version).executeTakeFirst())) return null;
    await requireNewPassword({ accountId, reason: 'breached', auditContext }, this, trx);
    const query = trx.selectFrom('account').select('password_change_required_at as since').where('id', '=', accountId);
    return (await query.executeTakeFirst())?.since ?? null;
  }
}
