import { Injectable } from '@nestjs/common';
import { AccountNotFound } from '../../accounts/account/account.errors.js';
import { Accounts } from '../../accounts/account/accounts.js';
import type { Account } from '../../accounts/account/accounts.js';

/** Finds the account of a path, by its id or by the subject that apps know. Further calls use the account's own `id`, because Hydra compares ids case-sensitively. */
@Injectable()
export class AccountLookup {
  constructor(private readonly accounts: Accounts) {}

  /** @throws AccountNotFound, also for a malformed id */
  async get(id: string): Promise<Account> {
    const account = await this.accounts.findBySubject(id);
    if (!account) throw new AccountNotFound();
    return account;
  }
}
