import { Injectable } from '@nestjs/common';
import { AccountNotFound } from '../../accounts/account/account.errors.js';
import { Accounts } from '../../accounts/account/accounts.js';
import type { Account } from '../../accounts/account/accounts.js';
import { SourceAccounts } from '../../accounts/identities/source-accounts.js';

/** Finds the account of a path, by its id or by the subject that apps know. Further calls use the account's own `id`, because Hydra compares ids case-sensitively. */
@Injectable()
export class AccountLookup {
  constructor(
    private readonly accounts: Accounts,
    private readonly links: SourceAccounts,
  ) {}

  /** @throws AccountNotFound, also for a malformed id */
  async get(id: string): Promise<Account> {
    const account = await this.accounts.findBySubject(id);
    if (!account) throw new AccountNotFound();
    return account;
  }

  /** What apps know the account by, and the source or the issuer to which it belongs. */
  async originOf({ id }: Account): Promise<{ subject: string; source: string | null }> {
    const [subject, link] = await Promise.all([this.accounts.subjectOf(id), this.links.find(id)]);
    return { subject, source: link?.source ?? null };
  }
}
