import { Injectable } from '@nestjs/common';
import { AccountNotFound } from '../../accounts/account/account.errors.js';
import { Accounts } from '../../accounts/account/accounts.js';
import type { Account } from '../../accounts/account/accounts.js';

/** Finds the account of an address. Callers go on with its own `id`, which has one spelling; the upstream compares letters. */
@Injectable()
export class AccountLookup {
  constructor(private readonly accounts: Accounts) {}

  /** @throws AccountNotFound for what is no id, too */
  async get(id: string): Promise<Account> {
    const account = await this.accounts.find(id);
    if (!account) throw new AccountNotFound();
    return account;
  }
}
