/** Requires that a person choose a new password at the next sign-in with the password (migration 64). */
import type { Transaction } from 'kysely';
import type { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import type { AuditContext, AuditLog } from '../audit/audit-log.js';
import type { RequiredPassword } from './account.js';

interface Requirement {
  accountId: string;
  reason: RequiredPassword['reason'];
  auditContext: AuditContext;
}

/** Runs with a lock of the account. An existing requirement stays as it is. @returns whether the requirement is new */
export async function requireNewPassword(
  { accountId, reason, auditContext }: Requirement,
  { database, audit }: { database: Database; audit: AuditLog },
  trx: Transaction<Schema>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('account')
    .set({ password_change_required_at: database.now(), password_change_reason: reason })
    .where('id', '=', accountId)
    .where('password_change_required_at', 'is', null)
    .executeTakeFirst();
  const isNew = numUpdatedRows > 0n;
  if (isNew) await audit.record({ ...auditContext, kind: 'password.change-required', accountId, detail: { cause: reason } }, trx);
  return isNew;
}
