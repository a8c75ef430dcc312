/** Who may come in: disable, enable, unlock, end sessions. Each may be repeated, and acts at once on every replica. */
import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { Accounts } from '../accounts/accounts.js';
import { accountAnswer } from './answers.js';
import { CurrentCaller } from './caller.js';
import type { Caller } from './caller.js';
import { EndAccess } from './end-access.js';
import { KnownAccounts } from './known-accounts.js';
import { NothingPipe } from './strict-pipe.js';
import { UnlockAccount } from './unlock-account.js';
import { OPERATOR_API } from './wire.js';
import type { AccountAnswer, DisabledAnswer, SessionsAnswer } from './wire.js';

@Controller(`${OPERATOR_API}/accounts/:id`)
export class AccessController {
  constructor(
    private readonly accounts: Accounts,
    private readonly known: KnownAccounts,
    private readonly endAccess: EndAccess,
    private readonly unlockAccount: UnlockAccount,
  ) {}

  @Post('disable')
  @HttpCode(200)
  async disable(
    @Param('id') id: string,
    @Body(new NothingPipe()) _: undefined,
    @CurrentCaller() caller: Caller,
  ): Promise<DisabledAnswer> {
    const { account, upstream } = await this.endAccess.disable(await this.known.get(id), caller);
    return { ...accountAnswer(account), upstream };
  }

  @Post('enable')
  @HttpCode(200)
  async enable(
    @Param('id') id: string,
    @Body(new NothingPipe()) _: undefined,
    @CurrentCaller() caller: Caller,
  ): Promise<AccountAnswer> {
    const account = await this.known.get(id);
    const isActive = account.status === 'active';
    return accountAnswer(isActive ? account : await this.accounts.setStatus(account.id, 'active', caller));
  }

  @Post('unlock')
  @HttpCode(200)
  async unlock(
    @Param('id') id: string,
    @Body(new NothingPipe()) _: undefined,
    @CurrentCaller() caller: Caller,
  ): Promise<AccountAnswer> {
    return accountAnswer(await this.unlockAccount.unlock(await this.known.get(id), caller));
  }

  @Delete('sessions')
  async endSessions(@Param('id') id: string, @CurrentCaller() caller: Caller): Promise<SessionsAnswer> {
    return this.endAccess.endSessions(await this.known.get(id), caller);
  }
}
