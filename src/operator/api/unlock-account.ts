/**
 * Deletes the failures that were counted for an account and its known devices (docs/security.md D7). Failures that were counted for
 * addresses remain.
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

  /** Idempotent. @returns whether the account was locked */
  async unlock(account: Account, auditContext: OperatorContext): Promise<boolean> {
    return this.attempts.unlock(account, (trx) =>
      this.audit.record({ ...auditContext, kind: 'limits.cleared', accountId: account.id }, trx),
    );
  }
}
