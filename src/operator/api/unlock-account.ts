/**
 * Forgets the failures counted against an account: its name's and its known devices'. After a hundred of them nothing else
 * opens it but a new password (docs/security.md D7). Those of addresses stay: they are not this account's.
 */
import { Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import { Attempts } from '../../accounts/limits/attempts.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import type { OperatorContext } from './operator-context.js';

@Injectable()
export class UnlockAccount {
  constructor(
    private readonly attempts: Attempts,
    private readonly audit: AuditLog,
  ) {}

  /** May be repeated. @returns whether it was locked */
  async unlock(account: Account, by: OperatorContext): Promise<boolean> {
    return this.attempts.unlock(account, (trx) =>
      this.audit.record({ ...by, kind: 'limits.cleared', accountId: account.id }, trx),
    );
  }
}
