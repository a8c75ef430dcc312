/** Lists the trusted browsers of an account, and ends the trust in them. */
import { Controller, Delete, Get, Param } from '@nestjs/common';
import { TrustedBrowsers } from '../../accounts/sessions/trusted-browsers.js';
import { AccountLookup } from './account-lookup.js';
import { CurrentOperatorContext, type OperatorContext } from './operator-context.js';
import { OperatorFault } from './operator-fault.js';
import { Operation } from './rights.guard.js';
import { toTrustedBrowserAnswer } from './answers.js';
import { OPERATOR_API } from '../wire.js';
import type { TrustedBrowserListAnswer, TrustedBrowsersEndedAnswer } from '../wire-sessions.js';

@Controller(`${OPERATOR_API}/accounts/:id/trusted-browsers`)
export class TrustedBrowsersController {
  constructor(
    private readonly lookup: AccountLookup,
    private readonly trustedBrowsers: TrustedBrowsers,
  ) {}

  /**
   * Lists the trusted browsers of an account, in which no second factor is required, newest first.
   * @throws 404 account_not_found
   */
  @Get()
  @Operation('trustedBrowsers.list')
  async list(@Param('id') id: string): Promise<TrustedBrowserListAnswer> {
    const account = await this.lookup.get(id);
    return { trusted_browsers: (await this.trustedBrowsers.list(account.id)).map(toTrustedBrowserAnswer) };
  }

  /**
   * Ends the trust in all browsers of an account: the next sign-in in each of them requires the second factor again.
   * @throws 404 account_not_found
   */
  @Delete()
  @Operation('trustedBrowsers.endAll')
  async endAll(@Param('id') id: string, @CurrentOperatorContext() context: OperatorContext): Promise<TrustedBrowsersEndedAnswer> {
    const account = await this.lookup.get(id);
    return { ended: await this.trustedBrowsers.end(account.id, null, context) };
  }

  /**
   * Ends the trust in one browser of an account: the next sign-in there requires the second factor again.
   * @throws 404 account_not_found trusted_browser_not_found
   */
  @Delete(':browser')
  @Operation('trustedBrowsers.endOne')
  async endOne(
    @Param('id') id: string,
    @Param('browser') browser: string,
    @CurrentOperatorContext() context: OperatorContext,
  ): Promise<TrustedBrowsersEndedAnswer> {
    const account = await this.lookup.get(id);
    const ended = await this.trustedBrowsers.end(account.id, browser, context);
    if (ended === 0) throw new OperatorFault(404, 'trusted_browser_not_found', 'The account has no such trusted browser.');
    return { ended };
  }
}
