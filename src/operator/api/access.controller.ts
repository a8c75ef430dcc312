/** Disable, enable, unlock, unfreeze and refresh accounts. All are idempotent and take effect at once on every replica. */
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import { CredentialFreeze } from '../../accounts/account/credential-freeze.js';
import { accountAnswer } from './answers.js';
import { NoMembers } from './account-bodies.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { EndAccess } from './end-access.js';
import { AccountLookup } from './account-lookup.js';
import { RefreshAccount } from './refresh-account.js';
import { UnlockAccount } from './unlock-account.js';
import { Rights } from './rights.guard.js';
import {
  OPERATOR_API,
  type AccountAnswer,
  type DisabledAnswer,
  type RefreshedAnswer,
  type UnfrozenAnswer,
  type UnlockedAnswer,
} from '../wire.js';

@Controller(`${OPERATOR_API}/accounts/:id`)
export class AccessController {
  constructor(
    private readonly accounts: Accounts,
    private readonly lookup: AccountLookup,
    private readonly endAccess: EndAccess,
    private readonly unlockAccount: UnlockAccount,
    private readonly freeze: CredentialFreeze,
    private readonly refreshAccount: RefreshAccount,
  ) {}

  /**
   * Lets nobody sign in with an account, and ends its sessions and what apps may do in its name.
   * @throws 404 account_not_found
   */
  @Post('disable')
  @Rights('support')
  @HttpCode(200)
  async disable(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<DisabledAnswer> {
    const { account, upstream } = await this.endAccess.disable(await this.lookup.get(id), context);
    return { ...accountAnswer(account), upstream };
  }

  /**
   * Lets the owner of a disabled account sign in again.
   * @throws 404 account_not_found
   */
  @Post('enable')
  @Rights('admin')
  @HttpCode(200)
  async enable(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<AccountAnswer> {
    const account = await this.lookup.get(id);
    const isActive = account.status === 'active';
    return accountAnswer(isActive ? account : await this.accounts.setStatus(account.id, 'active', context));
  }

  /**
   * Forgets the wrong passwords counted against an account, which hold it up or have stopped it.
   * @throws 404 account_not_found
   */
  @Post('unlock')
  @Rights('support')
  @HttpCode(200)
  async unlock(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<UnlockedAnswer> {
    const account = await this.lookup.get(id);
    return { ...accountAnswer(account), was_locked: await this.unlockAccount.unlock(account, context) };
  }

  /**
   * Asks the source to which an account belongs for its person, and takes over what has changed. The account of somebody who
   * left, or is disabled there, is disabled, and its sessions and what apps may do in its name end.
   * @throws 404 account_not_found, 409 no_source, 503 source_unavailable
   */
  @Post('refresh')
  @Rights('support')
  @HttpCode(200)
  async refresh(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<RefreshedAnswer> {
    const refreshed = await this.refreshAccount.refresh(await this.lookup.get(id), context);
    const { account, source, state, upstream } = refreshed;
    return { ...accountAnswer(account), source, source_state: state, upstream };
  }

  /**
   * After "that was not me": lets credentials be changed again before the freeze is over.
   * @throws 404 account_not_found
   */
  @Post('unfreeze')
  @Rights('admin')
  @HttpCode(200)
  async unfreeze(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<UnfrozenAnswer> {
    const account = await this.lookup.get(id);
    return { ...accountAnswer(account), was_frozen: await this.freeze.lift(account, context) };
  }
}
