/** The page that offers a passkey after a sign-in, and its two forms. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { Challenge, OptionalText } from '../../gateway/http/form-fields.decorators.js';
import { CurrentRequestContext } from '../../gateway/http/request-context.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { Public, ShowsStaleForm } from '../../gateway/security/access.guard.js';
import { PasskeyOfferFlow } from './passkey-offer.flow.js';

class OfferQuery {
  @Challenge()
  [FIELDS.loginChallenge] = '';
}

export class OfferForm extends OfferQuery {
  @OptionalText(16_384)
  [FIELDS.ticket]?: string;

  /** Absent: goes on without a passkey. */
  @OptionalText(65_536)
  [FIELDS.credential]?: string;

  @OptionalText(100)
  [FIELDS.setupSession]?: string;
}

@Public()
@Controller()
export class PasskeyOfferController {
  constructor(private readonly flow: PasskeyOfferFlow) {}

  /** The address of the second form shows the page too: for a reload after an error. */
  @Get([PATHS.passkeyOffer, PATHS.passkeyRefuse])
  show(@Query() { login_challenge: challenge }: OfferQuery, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.show(challenge, context);
  }

  @Post(PATHS.passkeyOffer)
  @ShowsStaleForm()
  submit(@Body() form: OfferForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.submit(form, context);
  }

  @Post(PATHS.passkeyRefuse)
  @ShowsStaleForm()
  refuse(@Body() form: OfferForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.refuse(form, context);
  }
}
