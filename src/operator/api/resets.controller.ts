/** Reset links and tokens for contact persons to hand out. Only the newest works; each is recorded in the audit log. */
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { NoMembers } from './account-bodies.js';
import { CurrentOperatorContext } from './operator-context.js';
import type { OperatorContext } from './operator-context.js';
import { AccountLookup } from './account-lookup.js';
import { ResetLinks } from './reset-links.js';
import { OPERATOR_API } from '../wire.js';
import type { FactorResetAnswer, PasswordResetAnswer } from '../wire.js';

@Controller(`${OPERATOR_API}/accounts/:id`)
export class ResetsController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly links: ResetLinks,
  ) {}

  /**
   * Makes a link to a new password, to be handed to the owner of the account. The newest link counts.
   * @throws 404 account_not_found, 409 account_disabled
   */
  @Post('password-reset')
  @HttpCode(200)
  async password(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<PasswordResetAnswer> {
    return this.links.toPassword(await this.lookup.get(id), context);
  }

  /**
   * Makes a token and a link that take all second factors away, to be handed to the owner of the account.
   * @throws 404 account_not_found, 409 account_disabled
   */
  @Post('factor-reset')
  @HttpCode(200)
  async factors(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<FactorResetAnswer> {
    return this.links.toNoFactors(await this.lookup.get(id), context);
  }
}
