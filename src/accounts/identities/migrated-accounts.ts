/**
 * Accounts whose password was taken over from a user source (`migrate` in `USER_SOURCES`). They no longer belong to the source.
 * The person at the source stays recorded, so that a password that is right only at the source no longer signs in to the account:
 * the password may since have been changed in Foyer.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { accountColumns, toAccount, type Account, type AccountFields } from '../account/account.js';
import { lockAccount } from '../account/lock.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import { PASSWORD_VERSION } from '../account/password-version.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { requireNewPassword } from '../account/password-requirement.js';

export interface MigratedAccount {
  account: Account;
  /** Null if the password has since been removed. */
  hash: string | null;
  passwordVersion: string | null;
}

interface MigratedRow extends AccountFields {
  hash: string | null;
  password_version: string | null;
}

const FIND = new Statement<Record<'source' | 'subject', string>, MigratedRow>(
  'migrated-account.find',
  ({ param }) => sql`
    select ${accountColumns('a')}, p.hash, ${PASSWORD_VERSION} as password_version
    from migrated_account m join account a on a.id = m.account_id
      left join password_credential p on p.account_id = a.id
    where m.source = ${param('source')} and m.subject = ${param('subject')}`,
);

/**
 * Releases an account only if it still belongs to a source, is active and not frozen, and if its access did not end while its password was
 * verified.
 */
const RELEASE = new Statement<Record<'account' | 'stamp', string>, { account_id: string }>(
  'migrated-account.release',
  ({ param, now }) => sql`
    delete from source_account s using account a
    where s.account_id = ${param('account')} and a.id = s.account_id and a.status = 'active'
      and ${SECURITY_STAMP} = ${param('stamp')} and not coalesce(a.credentials_frozen_until > ${now}, false)
    returning s.account_id`,
);

interface TakenPassword {
  accountId: string;
  source: string;
  subject: string;
  hash: string;
  /** The password has to be changed at the next sign-in with it. */
  hasToChange?: boolean | undefined;
  auditContext: AuditContext;
}

@Injectable()
export class MigratedAccounts {
  constructor(
    readonly database: Database,
    readonly audit: AuditLog,
  ) {}

  async find({ source, subject }: { source: string; subject: string }): Promise<MigratedAccount | null> {
    const [row] = await this.database.run(FIND, { source, subject });
    return row ? { account: toAccount(row), hash: row.hash, passwordVersion: row.password_version } : null;
  }

  /** Finds the source from which the password of an account was taken over. */
  async findSource(accountId: string): Promise<string | null> {
    const { db } = this.database;
    const query = db.selectFrom('migrated_account').select('source').where('account_id', '=', accountId);
    return (await query.executeTakeFirst())?.source ?? null;
  }

  /**
   * Takes the password over.
   * @param stamp security stamp at the time when the password was verified
   * @returns false if the account cannot be released (`RELEASE`), and no concurrent sign-in has taken the password over
   */
  async take(password: TakenPassword, stamp: string): Promise<boolean> {
    const { accountId: account } = password;
    const wasTaken = await this.database.transaction(async (trx) => {
      await lockAccount(account, trx);
      if ((await this.database.run(RELEASE, { account, stamp }, trx)).length === 0) return false;
      await this.#keep(password, trx);
      return true;
    });
    // A concurrent sign-in may have taken the password over.
    return wasTaken || (await this.find(password)) !== null;
  }

  /** Runs in the transaction that creates the account, after `insertLink`. */
  async takeNew(password: TakenPassword, trx: Transaction<Schema>): Promise<void> {
    await trx.deleteFrom('source_account').where('account_id', '=', password.accountId).execute();
    await this.#keep(password, trx);
  }

  /** Does not apply the password policy, which is for new passwords. */
  async #keep(
    { accountId, source, subject, hash, hasToChange, auditContext }: TakenPassword,
    trx: Transaction<Schema>,
  ): Promise<void> {
    const now = this.database.now();
    await trx
      .insertInto('password_credential')
      .values({ account_id: accountId, hash, changed_at: now })
      .onConflict((conflict) => conflict.column('account_id').doNothing())
      .execute();
    await trx.insertInto('migrated_account').values({ account_id: accountId, source, subject, migrated_at: now }).execute();
    await this.audit.record({ ...auditContext, kind: 'source.migrated', accountId, detail: { source } }, trx);
    if (hasToChange) await requireNewPassword({ accountId, reason: 'source', auditContext }, this, trx);
  }
}
