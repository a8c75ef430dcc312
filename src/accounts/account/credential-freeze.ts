/**
 * After "that was not me" the credentials of an account cannot be changed for some time, so that an attacker who gets
 * in again cannot lock the owner out (NTC-1). A new password can still be set with a mailed link, because
 * the mailbox is the proof.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { interval, Statement } from '../../database/statement.js';
import type { Account } from './account.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';

/** A change was refused because the credentials are frozen. Nothing was changed. */
export class CredentialsFrozen extends Error {
  constructor() {
    super('The credentials of this account are frozen.');
    this.name = 'CredentialsFrozen';
  }
}

interface AccountAtTime {
  accountId: string;
  now: RawBuilder<Date>;
}

const FIND_FREEZE = new Statement<{ account: string }, { ends_at: Date; wait: number }>(
  'credential-freeze.until',
  ({ param, now }) => sql`
    select credentials_frozen_until as ends_at, extract(epoch from credentials_frozen_until - ${now})::double precision as wait
    from account where id = ${param('account')} and credentials_frozen_until > ${now}`,
);

export interface Freeze {
  endsAt: Date;
  /** Seconds until the freeze ends; at least 1. */
  seconds: number;
}

@Injectable()
export class CredentialFreeze {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** @returns null if credentials are not frozen */
  async find(accountId: string): Promise<Freeze | null> {
    const [row] = await this.database.run(FIND_FREEZE, { account: accountId });
    return row ? { endsAt: row.ends_at, seconds: Math.max(Math.ceil(row.wait), 1) } : null;
  }

  /** Idempotent. @returns whether the account was frozen */
  async lift({ id: accountId }: Account, auditContext: AuditContext): Promise<boolean> {
    return this.database.transaction(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('account')
        .set({ credentials_frozen_until: null })
        .where('id', '=', accountId)
        .where('credentials_frozen_until', '>', this.database.now())
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) await this.audit.record({ ...auditContext, kind: 'freeze.lifted', accountId }, trx);
      return numUpdatedRows > 0n;
    });
  }
}

/**
 * Runs in the transaction of the change, which has locked the account, so that a concurrent freeze is seen.
 * @throws CredentialsFrozen
 */
export async function requireNotFrozen({ accountId, now }: AccountAtTime, trx: Transaction<Schema>): Promise<void> {
  const frozenAccount = trx
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('credentials_frozen_until', '>', now);
  if (await frozenAccount.executeTakeFirst()) throw new CredentialsFrozen();
}

/** Freezes the credentials for `seconds` from now on. The freeze replaces an earlier one. */
export async function freezeCredentials(
  { accountId, now, seconds }: AccountAtTime & { seconds: number },
  trx: Transaction<Schema>,
): Promise<void> {
  const frozenUntil = sql<Date>`${now} + ${interval(seconds)}`;
  await trx.updateTable('account').set({ credentials_frozen_until: frozenUntil }).where('id', '=', accountId).execute();
}
