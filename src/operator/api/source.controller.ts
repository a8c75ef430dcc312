/** Links an account to a person of a user source or provider, or unlinks the account. */
import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { LinkBody } from './account-bodies.js';
import { AccountLookup } from './account-lookup.js';
import { ApprovalGate } from './approval-gate.js';
import { toAccountAnswer } from './answers.js';
import { EndAccess } from './end-access.js';
import { LinkAccount } from './link-account.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { Operation } from './rights.guard.js';
import { OPERATOR_API, type LinkedAnswer, type UnlinkedAnswer } from '../wire.js';

@Controller(`${OPERATOR_API}/accounts/:id/source`)
export class SourceController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly gate: ApprovalGate,
    private readonly linkAccount: LinkAccount,
    private readonly endAccess: EndAccess,
  ) {}

  /**
   * Links an account to a person of a user source, or of a provider with `"provision": true`. The password of the account here is removed, and
   * its sessions end. The subject of the account stays the same.
   * @throws 404 account_not_found person_not_found, 409 has_source person_linked provider_connected support_check_ended, 422 missing format unknown_source, 503 source_unavailable
   */
  @Post()
  @Operation('source.link')
  @HttpCode(200)
  async link(
    @Param('id') id: string,
    @Body() body: LinkBody,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<LinkedAnswer> {
    return this.gate.run({ operation: 'source.link', account: await this.lookup.get(id), body }, context);
  }

  /**
   * Unlinks an account from its user source or provider. The account stays, with its password here if it has one, and its
   * sessions end. The answer states whether the person can still sign in; if not, a password reset link lets them set a password.
   * @throws 404 account_not_found, 409 no_source operator_rule
   */
  @Delete()
  @Operation('source.unlink')
  async unlink(@Param('id') id: string, @CurrentOperatorContext() context: OperatorContext): Promise<UnlinkedAnswer> {
    const account = await this.lookup.get(id);
    const { source, subject, canSignIn } = await this.linkAccount.unlink(account, context);
    const upstream = await this.endAccess.settle(account.id, context);
    return { ...toAccountAnswer(account), source, source_subject: subject, can_sign_in: canSignIn, upstream };
  }
}
