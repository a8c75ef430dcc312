import { Injectable } from '@nestjs/common';
import { AccountNotFound } from '../../accounts/account/account.errors.js';
import { AccountDeletions } from '../../accounts/changes/account-deletions.js';
import { Accounts, type Account } from '../../accounts/account/accounts.js';
import { SourceAccounts } from '../../accounts/identities/source-accounts.js';

/**
 * Finds the account that a path names, by its id or its subject (`sub`). Further calls use the account's own `id`, because
 * Hydra compares ids case-sensitively.
 */
@Injectable()
export class AccountLookup {
  constructor(
    private readonly accounts: Accounts,
    private readonly links: SourceAccounts,
    private readonly deletions: AccountDeletions,
  ) {}

  /** @throws AccountNotFound, also for a malformed id */
  async get(id: string): Promise<Account> {
    const account = await this.accounts.findBySubject(id);
    if (!account) throw new AccountNotFound();
    return account;
  }

  /** @returns the account's own id, or null if `get` would throw */
  async findId(id: string): Promise<string | null> {
    return (await this.accounts.findBySubject(id))?.id ?? null;
  }

  /** @returns the subject of an account, the user source or issuer to which it belongs, and when it will be deleted */
  async findRelated({ id }: Account): Promise<{ subject: string; source: string | null; dueAt: Date | null }> {
    const found = [this.accounts.findSubject(id), this.links.find(id), this.deletions.find(id)] as const;
    const [subject, link, dueAt] = await Promise.all(found);
    return { subject, source: link?.source ?? null, dueAt };
  }
}
