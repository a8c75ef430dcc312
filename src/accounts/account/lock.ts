/**
 * Locks an account until the transaction ends, so that concurrent changes run one after the other. The conditions
 * that allowed a change when it began are checked again under the lock.
 */
import type { Transaction } from 'kysely';
import type { AccountRow, Schema } from '../../database/schema.js';
import type { AuditContext } from '../audit/audit-log.js';

type LockedAccount = Pick<AccountRow, 'username' | 'username_key' | 'email_key' | 'status'>;

/** The session of the account area in which a change began. The session may have ended since, or its proof may be too old. */
export interface ChangingSession {
  /** Runs right after the account is locked, and locks the session until the transaction ends. @throws ChangeRefused */
  require(trx: Transaction<Schema>): Promise<void>;
  /** Records that the change proves a second factor. */
  prove(trx: Transaction<Schema>): Promise<void>;
}

/**
 * The condition that a session of the account area, or a sign-in, still allows a change. A sign-in throws ProofOutdated instead.
 */
export type SessionCondition = Pick<ChangingSession, 'require'>;

/** A change that people make to their own account. */
export type OwnChange = AuditContext & { manageSession: ChangingSession };

export async function lockAccount(accountId: string, trx: Transaction<Schema>): Promise<LockedAccount | undefined> {
  return trx
    .selectFrom('account')
    .select(['username', 'username_key', 'email_key', 'status'])
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
}

/** @returns null if the account is not active or does not exist */
export async function lockActive(accountId: string, trx: Transaction<Schema>): Promise<LockedAccount | null> {
  const account = await lockAccount(accountId, trx);
  return account?.status === 'active' ? account : null;
}
