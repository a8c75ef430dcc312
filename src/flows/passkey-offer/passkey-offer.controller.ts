/** The page that offers a passkey after a sign-in, and its two forms. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { Public, AcceptsOutdatedForm } from '../../gateway/security/access.guard.js';
import { PasskeyOfferFlow } from './passkey-offer.flow.js';
import { OfferForm, OfferQuery } from './passkey-offer.form.js';

@Public()
@Controller()
export class PasskeyOfferController {
  constructor(private readonly flow: PasskeyOfferFlow) {}

  /** Also answers a GET at the address of the second form, because a person may reload the page after an error. */
  @Get([PATHS.passkeyOffer, PATHS.passkeyRefuse])
  show(@Query() { login_challenge: challenge }: OfferQuery, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.show(challenge, context);
  }

  @Post(PATHS.passkeyOffer)
  @AcceptsOutdatedForm()
  submit(@Body() form: OfferForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.submit(form, context);
  }

  @Post(PATHS.passkeyRefuse)
  @AcceptsOutdatedForm()
  refuse(@Body() form: OfferForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.refuse(form, context);
  }
}
