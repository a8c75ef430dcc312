/** Creates an account, with or without a password. Without one, its owner cannot sign in with a password yet. */
import { Injectable } from '@nestjs/common';
import { Accounts, type Account, type NewAccount } from '../../accounts/account/accounts.js';
import { SetPassword } from '../../accounts/password/set-password.js';
import { checkUsername } from '../../accounts/account/username.js';
import { defined } from '../../config/defined.js';
import { ChangeAccount } from './change-account.js';
import type { OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { retryWhileBusy } from './retry-while-busy.js';
import { requireGoodPassword } from './password-refusal.js';

@Injectable()
export class CreateAccount {
  constructor(
    private readonly accounts: Accounts,
    private readonly changes: ChangeAccount,
    private readonly setPassword: SetPassword,
  ) {}

  /** @throws OperatorFault, AccountError */
  async create(newAccount: NewAccount, password: string | undefined, auditContext: OperatorContext): Promise<Account> {
    const { groupName: group_name, groups, attributes } = newAccount;
    this.changes.requireNoNewAdmin({
      ...defined({ group_name, attributes }),
      ...(groups === undefined ? {} : { groups: [...groups] }),
    });
    if (password === undefined) return this.accounts.create(newAccount, auditContext);
    // The password is checked with the stored form of the username. A later refusal would leave an account without a password.
    requireGoodPassword(await this.setPassword.findFaults(password, checkUsername(newAccount.username)));
    const account = await this.accounts.create(newAccount, auditContext);
    requireGoodPassword(
      await retryWhileBusy(() => this.setPassword.setPassword(account.id, password, auditContext), buildPasswordNotSetFault),
    );
    return account;
  }
}

function buildPasswordNotSetFault(): OperatorFault {
  const message =
    'The account was created, but without its password, because too many sign-ins are in progress: hand out a password reset link.';
  return new OperatorFault(503, 'busy', message, { field: 'password' });
}
