/** Disables, enables, unlocks, unfreezes and refreshes accounts. */
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import { CredentialFreeze } from '../../accounts/account/credential-freeze.js';
import { toAccountAnswer } from './answers.js';
import { NoMembers } from './account-bodies.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { EndAccess } from './end-access.js';
import { AccountLookup } from './account-lookup.js';
import { RefreshAccount } from './refresh-account.js';
import { UnlockAccount } from './unlock-account.js';
import { Operation } from './rights.guard.js';
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
   * Disables an account: nobody can sign in to it, and its sessions, grants and tokens end.
   * @throws 404 account_not_found
   */
  @Post('disable')
  @Operation('access.disable')
  @HttpCode(200)
  async disable(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<DisabledAnswer> {
    const { account, upstream } = await this.endAccess.disable(await this.lookup.get(id), context);
    return { ...toAccountAnswer(account), upstream };
  }

  /**
   * Enables a disabled account, so that its owner can sign in again.
   * @throws 404 account_not_found
   */
  @Post('enable')
  @Operation('access.enable')
  @HttpCode(200)
  async enable(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<AccountAnswer> {
    const account = await this.lookup.get(id);
    const isActive = account.status === 'active';
    return toAccountAnswer(isActive ? account : await this.accounts.setStatus(account.id, 'active', context));
  }

  /**
   * Unlocks an account: resets its counts of wrong passwords and codes, so that they no longer delay its owner. Failures that were
   * counted for addresses remain.
   * @throws 404 account_not_found
   */
  @Post('unlock')
  @Operation('access.unlock')
  @HttpCode(200)
  async unlock(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<UnlockedAnswer> {
    const account = await this.lookup.get(id);
    return { ...toAccountAnswer(account), was_locked: await this.unlockAccount.unlock(account, context) };
  }

  /**
   * Updates an account from the user source to which it belongs. If the person is no longer there, or is disabled there, the
   * account is disabled, and its sessions, grants and tokens end.
   * @throws 404 account_not_found, 409 no_source, 503 source_unavailable
   */
  @Post('refresh')
  @Operation('access.refresh')
  @HttpCode(200)
  async refresh(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<RefreshedAnswer> {
    const result = await this.refreshAccount.refresh(await this.lookup.get(id), context);
    const { account, source, state, upstream } = result;
    return { ...toAccountAnswer(account), source, source_state: state, upstream };
  }

  /**
   * Ends the freeze after "That was not me": the credentials of the account can be changed again.
   * @throws 404 account_not_found
   */
  @Post('unfreeze')
  @Operation('access.unfreeze')
  @HttpCode(200)
  async unfreeze(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<UnfrozenAnswer> {
    const account = await this.lookup.get(id);
    return { ...toAccountAnswer(account), was_frozen: await this.freeze.lift(account, context) };
  }
}
