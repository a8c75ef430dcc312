import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import { Public } from '../../gateway/security/access.guard.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentRequestContext } from '../../gateway/http/request-context.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { EnrolmentFlow } from './enrolment.flow.js';
import { VerificationFlow } from './verification.flow.js';
import { VerificationForm, VerificationQuery } from './verification.form.js';

@Public()
@Controller()
export class VerificationController {
  constructor(
    private readonly flow: VerificationFlow,
    private readonly enrolment: EnrolmentFlow,
  ) {}

  /** The form of the set-up shows the page too: a reload after an error. */
  @Get([PATHS.mfaVerify, PATHS.mfaEnrolTotp])
  show(@Query() query: VerificationQuery, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.show(query, context);
  }

  @Post(PATHS.mfaVerify)
  submit(@Body() form: VerificationForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.submit(form, context);
  }

  @Post(PATHS.mfaEnrolTotp)
  enrolTotp(@Body() form: VerificationForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.enrolment.submitTotp(form, context);
  }
}
