/**
 * Finds the account that a path names by its id or its subject (`sub`), and the data related to it. Further calls use the account's own
 * `id`, because Hydra compares ids case-sensitively.
 */
import { Injectable } from '@nestjs/common';
import { AccountNotFound } from '../../accounts/account/account.errors.js';
import { Attempts, type AccountLock } from '../../accounts/limits/attempts.js';
import { PasswordResets, type PasswordState } from '../../accounts/password/resets.js';
import { AccountDeletions } from '../../accounts/changes/account-deletions.js';
import { Accounts, type Account } from '../../accounts/account/accounts.js';
import { AccountRights } from '../../accounts/operators/account-rights.js';
import type { OperatorRights } from '../../config/config.js';
import { AccountOrigins, type AccountOrigin } from './account-origins.js';

export interface RelatedData extends AccountOrigin {
  subject: string;
  /** When the account will be deleted. */
  dueAt: Date | null;
  /** Null if no failures delay sign-ins to the account. */
  lock: AccountLock | null;
  password: PasswordState;
  /** Whether the rights of the reader allow changes of the account at all: only `admin` may change the account of an operator. */
  mayChange: boolean;
}

@Injectable()
export class AccountLookup {
  constructor(
    private readonly accounts: Accounts,
    private readonly origins: AccountOrigins,
    private readonly deletions: AccountDeletions,
    private readonly attempts: Attempts,
    private readonly resets: PasswordResets,
    private readonly accountRights: AccountRights,
  ) {}

  /** @throws AccountNotFound, also for a malformed id */
  async get(id: string): Promise<Account> {
    const account = await this.accounts.findByIdOrSubject(id);
    if (!account) throw new AccountNotFound();
    return account;
  }

  /** @returns the account's own id, or null if `get` would throw */
  async findId(id: string): Promise<string | null> {
    return (await this.accounts.findByIdOrSubject(id))?.id ?? null;
  }

  /** Reads the data related to an account. @param rights the rights of the reader */
  async findRelatedData(account: Account, rights: readonly OperatorRights[]): Promise<RelatedData> {
    const { id } = account;
    const [subject, origin, dueAt, lock, password, mayChange] = await Promise.all([
      this.accounts.findSubject(id),
      this.origins.find(id),
      this.deletions.find(id),
      this.attempts.findLock(account),
      this.resets.findState(account),
      this.accountRights.mayChange(id, rights),
    ]);
    return { subject, ...origin, dueAt, lock, password, mayChange };
  }
}
