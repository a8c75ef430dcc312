/**
 * Creates reset links, which contact persons hand out or Foyer mails, and requires new passwords. A new link replaces earlier ones of its
 * kind; the audit log records every link.
 */
import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { RequiredPasswords } from '../../accounts/password/required-password.js';
import { NoMembers } from './account-bodies.js';
import { toAccountAnswer } from './answers.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { AccountLookup } from './account-lookup.js';
import { ApprovalGate } from './approval-gate.js';
import { ResetLinks } from './reset-links.js';
import { Operation } from './rights.guard.js';
import {
  OPERATOR_API,
  type FactorResetAnswer,
  type MailedLinkAnswer,
  type PasswordResetAnswer,
  type RequiredPasswordAnswer,
} from '../wire.js';

@Controller(`${OPERATOR_API}/accounts/:id`)
export class ResetsController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly gate: ApprovalGate,
    private readonly links: ResetLinks,
    private readonly requiredPasswords: RequiredPasswords,
  ) {}

  /**
   * Creates a password reset link to hand to the owner of an account. Earlier links no longer work.
   * @throws 404 account_not_found, 409 account_disabled changed_meanwhile password_elsewhere support_check_ended
   */
  @Post('password-reset')
  @Operation('resets.password')
  @HttpCode(200)
  async password(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<PasswordResetAnswer> {
    return this.gate.run({ operation: 'resets.password', account: await this.lookup.get(id), body: {} }, context);
  }

  /**
   * Sends a password reset link to the e-mail address of an account; the answer does not contain the link. Earlier links
   * no longer work.
   * @throws 404 account_not_found, 409 account_disabled no_address no_mail password_elsewhere, 429 limited
   */
  @Post('password-reset-mail')
  @Operation('resets.mailPassword')
  @HttpCode(200)
  async mailPassword(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<MailedLinkAnswer> {
    return this.links.mail(await this.lookup.get(id), 'reset-link', context);
  }

  /**
   * Sends a link to choose a first password to the e-mail address of an account that has no password.
   * @throws 404 account_not_found, 409 account_disabled has_password no_address no_mail password_elsewhere, 429 limited
   */
  @Post('invitation')
  @Operation('resets.invite')
  @HttpCode(200)
  async invite(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<MailedLinkAnswer> {
    return this.links.mail(await this.lookup.get(id), 'invitation', context);
  }

  /**
   * Requires a new password at the next sign-in with the password of an account, before an app is reached.
   * @throws 404 account_not_found, 409 no_password password_elsewhere
   */
  @Post('require-password-change')
  @Operation('resets.requirePassword')
  @HttpCode(200)
  async requirePassword(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<RequiredPasswordAnswer> {
    const account = await this.lookup.get(id);
    return { ...toAccountAnswer(account), was_required: await this.requiredPasswords.require(account, context) };
  }

  /**
   * Creates a token and a link that remove all second factors, passkeys and recovery codes of an account.
   * @throws 404 account_not_found, 409 account_disabled support_check_ended
   */
  @Post('factor-reset')
  @Operation('resets.factors')
  @HttpCode(200)
  async factors(
    @Param('id') id: string,
    @Body() _: NoMembers,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<FactorResetAnswer> {
    return this.gate.run({ operation: 'resets.factors', account: await this.lookup.get(id), body: {} }, context);
  }
}
