/** Browsers in which an account is not asked for a second factor: list, end one, end all. */
import { Controller, Delete, Get, Param } from '@nestjs/common';
import { TrustedBrowsers } from '../../accounts/sessions/trusted-browsers.js';
import { AccountLookup } from './account-lookup.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { Rights } from './rights.guard.js';
import { trustedBrowserAnswer } from './answers.js';
import { OPERATOR_API } from '../wire.js';
import type { TrustedBrowserListAnswer, TrustedBrowsersEndedAnswer } from '../wire-sessions.js';

@Controller(`${OPERATOR_API}/accounts/:id/trusted-browsers`)
export class TrustedBrowsersController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly trusted: TrustedBrowsers,
  ) {}

  /**
   * Lists the browsers in which an account is not asked for a second factor, the newest first.
   * @throws 404 account_not_found
   */
  @Get()
  @Rights('read')
  async list(@Param('id') id: string): Promise<TrustedBrowserListAnswer> {
    const account = await this.lookup.get(id);
    return { trusted_browsers: (await this.trusted.list(account.id)).map(trustedBrowserAnswer) };
  }

  /**
   * Asks an account for its second factor again in all browsers.
   * @throws 404 account_not_found
   */
  @Delete()
  @Rights('support')
  async endAll(@Param('id') id: string, @CurrentOperatorContext() context: OperatorContext): Promise<TrustedBrowsersEndedAnswer> {
    const account = await this.lookup.get(id);
    return { ended: await this.trusted.end(account.id, null, context) };
  }

  /**
   * Asks an account for its second factor again in one browser.
   * @throws 404 account_not_found trusted_browser_not_found
   */
  @Delete(':browser')
  @Rights('support')
  async endOne(
    @Param('id') id: string,
    @Param('browser') browser: string,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<TrustedBrowsersEndedAnswer> {
    const account = await this.lookup.get(id);
    const ended = await this.trusted.end(account.id, browser, context);
    if (ended === 0) throw new OperatorFault(404, 'trusted_browser_not_found', 'The account has no such trusted browser.');
    return { ended };
  }
}
