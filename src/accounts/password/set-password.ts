/**
 * Sets the password of an account and deletes its counted failures. The code that calls this class ends the sessions.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import type { PasswordFault } from '../../contract/manage-state.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { AccountNotFound } from '../account/account.errors.js';
import { endAccess } from '../account/security-stamp.js';
import { VerifiedAddresses } from '../account/verified-addresses.js';
import { hasSecondFactor } from '../account/factor-counts.js';
import { isAccountId, type Account } from '../account/account.js';
import { findSource } from '../account/linked-source.js';
import { Attempts } from '../limits/attempts.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { PASSWORD_RESETS, discardSecrets } from '../secrets/one-time-secrets.js';
import { PasswordHasher } from './hasher.js';
import { forgetSignIns } from '../sessions/sign-in-records.js';
import { PasswordRules } from './password-rules.js';

export interface NewPassword {
  account: Pick<Account, 'id' | 'username'>;
  /** Hash of an accepted password. */
  hash: string;
  auditContext: AuditContext;
  /** Kind of the audit event. */
  kind?: 'password.changed' | 'password.reset';
  /**
   * Whether the password is set with a link that the person requested and that was mailed to the current address of the account.
   */
  provesAddress?: boolean;
  /** Id of the sign-in that sets the password and continues; all others end. */
  exceptSignIn?: string;
}

const FIND_FACTOR_USE = new Statement<
  { account: string },
  { second_factor: Account['secondFactor'] | null; has_factor: boolean }
>(
  'set-password.beside-factor',
  ({ param }) => sql`
    select a.second_factor, ${hasSecondFactor(sql.ref('a.id'))} as has_factor
    from account a where a.id = ${param('account')}`,
);

@Injectable()
export class SetPassword {
  constructor(
    private readonly database: Database,
    private readonly hasher: PasswordHasher,
    private readonly attempts: Attempts,
    private readonly audit: AuditLog,
    private readonly rules: PasswordRules,
    private readonly addresses: VerifiedAddresses,
  ) {}

  /** Checks a password for an account that does not exist yet. @returns the faults for an account with this username */
  findFaults(password: string, username: string): Promise<PasswordFault[]> {
    return this.rules.findFaults(password, username);
  }

  /** @returns the faults for an existing account, which may have a second factor */
  async findAccountFaults({ id, username }: Pick<Account, 'id' | 'username'>, password: string): Promise<PasswordFault[]> {
    return this.rules.findFaults(password, username, await this.#usesSecondFactor(id));
  }

  /** @returns the minimum length of a new password of this account, in characters */
  async findMinLength(accountId: string): Promise<number> {
    return this.rules.findMinLength(await this.#usesSecondFactor(accountId));
  }

  async #usesSecondFactor(accountId: string): Promise<boolean> {
    const [row] = await this.database.run(FIND_FACTOR_USE, { account: accountId });
    return row !== undefined && this.rules.usesSecondFactor({ secondFactor: row.second_factor, hasFactor: row.has_factor });
  }

  /** @returns the source or provider of an account that cannot have a password in Foyer; null if the account can have one */
  async findReplacingSource(accountId: string, trx: Transaction<Schema>): Promise<string | null> {
    const source = await findSource(accountId, trx);
    return this.rules.isPasswordHere(source) ? null : source;
  }

  /** Hashes an accepted password. @throws HasherBusy */
  hash(password: string): Promise<string> {
    return this.hasher.hash(password);
  }

  /**
   * Sets a password if the policy accepts it. @returns the faults of the password; an empty list if it was set
   * @throws AccountNotFound, HasherBusy
   */
  async setPassword(
    accountId: string,
    password: string,
    auditContext: AuditContext = { actor: 'system' },
  ): Promise<PasswordFault[]> {
    const { database } = this;
    if (!isAccountId(accountId)) throw new AccountNotFound();
    const account = await database.db.selectFrom('account').select('username').where('id', '=', accountId).executeTakeFirst();
    if (!account) throw new AccountNotFound();
    const faults = await this.findAccountFaults({ id: accountId, username: account.username }, password);
    if (faults.length > 0) return faults;
    const hash = await this.hash(password);
    await database.transaction((trx) =>
      this.write({ account: { id: accountId, username: account.username }, hash, auditContext }, trx),
    );
    return [];
  }

  /** Writes the hash and everything that belongs to it, in the transaction of a change. */
  async write(
    { account, hash, auditContext, kind = 'password.changed', provesAddress = false, exceptSignIn }: NewPassword,
    trx: Transaction<Schema>,
  ): Promise<void> {
    const { database, attempts, audit } = this;
    const { id: accountId, username } = account;
    const changed_at = database.now();
    // Must come first, because a sign-in locks the account before the password.
    await endAccess({ accountId, now: changed_at }, trx);
    await trx
      .insertInto('password_credential')
      .values({ account_id: accountId, hash, changed_at })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ hash, changed_at }))
      .execute();
    await attempts.clear(username, accountId, trx);
    // Pending sign-ins with the old password must not continue.
    await forgetSignIns(accountId, trx, exceptSignIn);
    await discardSecrets({ accountId, purposes: PASSWORD_RESETS }, trx);
    await audit.record({ ...auditContext, kind, accountId }, trx);
    if (provesAddress) await this.addresses.confirm({ accountId, auditContext }, trx);
  }
}
