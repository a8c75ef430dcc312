/** The person of a source or provider to whom an account belongs. */
import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { LinkBody } from './account-bodies.js';
import { AccountLookup } from './account-lookup.js';
import { accountAnswer } from './answers.js';
import { EndAccess } from './end-access.js';
import { LinkAccount } from './link-account.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { Rights } from './rights.guard.js';
import { OPERATOR_API, type LinkedAnswer, type UnlinkedAnswer } from '../wire.js';

@Controller(`${OPERATOR_API}/accounts/:id/source`)
export class SourceController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly linkAccount: LinkAccount,
    private readonly endAccess: EndAccess,
  ) {}

  /**
   * Lets an account belong to a person of a source, or of a provider with provision, who signs in to it from now on. Its
   * password here is removed, and its sessions end. Apps go on knowing it by the same subject.
   * @throws 404 account_not_found person_not_found, 409 has_source person_linked provider_connected, 422 missing format unknown_source, 503 source_unavailable
   */
  @Post()
  @Rights('admin')
  @HttpCode(200)
  async link(
    @Param('id') id: string,
    @Body() body: LinkBody,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<LinkedAnswer> {
    const account = await this.lookup.get(id);
    const { source, subject } = await this.linkAccount.link(account, body, context);
    const upstream = await this.endAccess.settle(account.id, context);
    return { ...accountAnswer(account), source, source_subject: subject, upstream };
  }

  /**
   * Takes an account from its source: it keeps everything, and its sessions end. It has no password then; the answer says
   * whether anybody can sign in, and a reset link gives it a password.
   * @throws 404 account_not_found, 409 no_source
   */
  @Delete()
  @Rights('admin')
  async unlink(@Param('id') id: string, @CurrentOperatorContext() context: OperatorContext): Promise<UnlinkedAnswer> {
    const account = await this.lookup.get(id);
    const { source, subject, canSignIn } = await this.linkAccount.unlink(account, context);
    const upstream = await this.endAccess.settle(account.id, context);
    return { ...accountAnswer(account), source, source_subject: subject, can_sign_in: canSignIn, upstream };
  }
}
