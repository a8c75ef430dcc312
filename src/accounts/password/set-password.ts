/**
 * Sets the password of an account and deletes its counted failures. Ending sessions is the job of the code that calls
 * this class.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { PasswordFault } from '../../contract/manage-state.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { AccountNotFound } from '../account/account.errors.js';
import { endAccess } from '../account/security-stamp.js';
import { VerifiedAddresses } from '../account/verified-addresses.js';
import { hasSecondFactor } from '../account/factor-counts.js';
import { isAccountId, type Account } from '../account/account.js';
import { Attempts } from '../limits/attempts.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { PASSWORD_RESETS, discardSecrets } from '../secrets/one-time-secrets.js';
import { PasswordHasher } from './hasher.js';
import { forgetSignIns } from '../sessions/sign-in-records.js';
import { checkPassword, findMinLength } from './policy.js';

export interface NewPassword {
  account: Pick<Account, 'id' | 'username'>;
  /** Hash of an accepted password. */
  hash: string;
  by: AuditContext;
  /** Kind of the audit event. */
  kind?: 'password.changed' | 'password.reset';
  /** By a link that was mailed to the address of the account, and that a change of the address would have discarded. */
  provesAddress?: boolean;
}

const BESIDE_FACTOR = new Statement<{ account: string }, { second_factor: Account['secondFactor'] | null; held: boolean }>(
  'set-password.beside-factor',
  ({ param }) => sql`
    select a.second_factor, ${hasSecondFactor(sql.ref('a.id'))} as held
    from account a where a.id = ${param('account')}`,
);

@Injectable()
export class SetPassword {
  constructor(
    private readonly database: Database,
    private readonly hasher: PasswordHasher,
    private readonly attempts: Attempts,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'password' | 'app' | 'mfa'>,
    private readonly addresses: VerifiedAddresses,
  ) {}

  /** Checks a password before the account exists. @returns the faults for an account of this username */
  findFaults(password: string, username: string, isBesideFactor = this.isBesideFactor({})): PasswordFault[] {
    const { password: policy, app } = this.config;
    return checkPassword(password, { policy, username, appName: app.name, isBesideFactor });
  }

  /** The faults for an existing account, which may have a second factor. */
  async faultsFor({ id, username }: Pick<Account, 'id' | 'username'>, password: string): Promise<PasswordFault[]> {
    return this.findFaults(password, username, await this.#hasFactor(id));
  }

  /** How many characters a new password of this account needs. */
  async minLengthFor(accountId: string): Promise<number> {
    return findMinLength(this.config.password, await this.#hasFactor(accountId));
  }

  /** Whether an account always signs in with a second factor, by what is required of it. */
  isBesideFactor({
    secondFactor,
    hasFactor = false,
  }: {
    secondFactor?: Account['secondFactor'] | null;
    hasFactor?: boolean;
  }): boolean {
    const isRequired = this.config.mfa.policy === 'required' && secondFactor !== 'optional';
    return hasFactor || secondFactor === 'required' || isRequired;
  }

  async #hasFactor(accountId: string): Promise<boolean> {
    const [row] = await this.database.run(BESIDE_FACTOR, { account: accountId });
    return row !== undefined && this.isBesideFactor({ secondFactor: row.second_factor, hasFactor: row.held });
  }

  /** For an accepted password. @throws HasherBusy */
  hash(password: string): Promise<string> {
    return this.hasher.hash(password);
  }

  /**
   * @returns the faults of the password; an empty list if it was set
   * @throws AccountNotFound, HasherBusy
   */
  async setPassword(accountId: string, password: string, by: AuditContext = { actor: 'system' }): Promise<PasswordFault[]> {
    const { database } = this;
    if (!isAccountId(accountId)) throw new AccountNotFound();
    const account = await database.db.selectFrom('account').select('username').where('id', '=', accountId).executeTakeFirst();
    if (!account) throw new AccountNotFound();
    const faults = await this.faultsFor({ id: accountId, username: account.username }, password);
    if (faults.length > 0) return faults;
    const hash = await this.hash(password);
    await database.transaction((trx) => this.write({ account: { id: accountId, username: account.username }, hash, by }, trx));
    return [];
  }

  /** Runs in the transaction of a change. */
  async write(
    { account, hash, by, kind = 'password.changed', provesAddress = false }: NewPassword,
    trx: Transaction<Schema>,
  ): Promise<void> {
    const { database, attempts, audit } = this;
    const { id: accountId, username } = account;
    const changed_at = database.now();
    // Must come first: a sign-in locks the account before the password.
    await endAccess({ accountId, now: changed_at }, trx);
    await trx
      .insertInto('password_credential')
      .values({ account_id: accountId, hash, changed_at })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ hash, changed_at }))
      .execute();
    await attempts.clear(username, accountId, trx);
    // Pending sign-ins with the old password must not continue.
    await forgetSignIns(accountId, trx);
    await discardSecrets({ accountId, purposes: PASSWORD_RESETS }, trx);
    await audit.record({ ...by, kind, accountId }, trx);
    if (provesAddress) await this.addresses.confirm({ accountId, by }, trx);
  }
}
