/**
 * Requires a new password of an account: the person chooses it at the next sign-in with the password, after a second factor, before
 * the app is reached. The requirement ends with any new or deleted password (migration 64).
 */
import { Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { NoPasswordHere, PasswordElsewhere } from '../account/account.errors.js';
import type { Account, RequiredPassword } from '../account/account.js';
import { lockAccount } from '../account/lock.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { SetPassword } from './set-password.js';

@Injectable()
export class RequiredPasswords {
  constructor(
    private readonly database: Database,
    private readonly setPassword: SetPassword,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Idempotent. @returns whether a new password was required before
   * @throws PasswordElsewhere, NoPasswordHere
   */
  async require({ id: accountId }: Account, by: AuditContext): Promise<boolean> {
    return this.database.transaction(async (trx) => {
      await lockAccount(accountId, trx);
      if ((await this.setPassword.findElsewhere(accountId, trx)) !== null) throw new PasswordElsewhere();
      const password = trx.selectFrom('password_credential').select('account_id').where('account_id', '=', accountId);
      if (!(await password.executeTakeFirst())) throw new NoPasswordHere();
      return !(await this.#write({ accountId, reason: 'operator', by }, trx));
    });
  }

  /** @returns whether the requirement is new */
  async #write(
    { accountId, reason, by }: { accountId: string; reason: RequiredPassword['reason']; by: AuditContext },
    trx: Transaction<Schema>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await trx
      .updateTable('account')
      .set({ password_change_required_at: this.database.now(), password_change_reason: reason })
      .where('id', '=', accountId)
      .where('password_change_required_at', 'is', null)
      .executeTakeFirst();
    const isNew = numUpdatedRows > 0n;
    if (isNew) await this.audit.record({ ...by, kind: 'password.change-required', accountId, detail: { cause: reason } }, trx);
    return isNew;
  }
}
