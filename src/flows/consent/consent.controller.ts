import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import { Public, AcceptsOutdatedForm } from '../../gateway/security/access.guard.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import { ConsentFlow } from './consent.flow.js';
import { ConsentForm, ConsentQuery } from './consent.form.js';

@Public()
@Controller()
export class ConsentController {
  constructor(private readonly flow: ConsentFlow) {}

  /** A GET at the address of a form does the same as `GET /consent` (CON-9). */
  @Get([PATHS.consent, PATHS.consentAccept, PATHS.consentReject])
  show(@Query() query: ConsentQuery, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.start(query.consent_challenge, context);
  }

  /** An outdated form does not decide: the request is opened again. */
  @Post(PATHS.consentAccept)
  @AcceptsOutdatedForm()
  accept(@Body() form: ConsentForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return context.xsrf === null ? this.flow.start(form.consent_challenge, context) : this.flow.accept(form, context);
  }

  @Post(PATHS.consentReject)
  @AcceptsOutdatedForm()
  reject(@Body() form: ConsentForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return context.xsrf === null ? this.flow.start(form.consent_challenge, context) : this.flow.reject(form, context);
  }
}
