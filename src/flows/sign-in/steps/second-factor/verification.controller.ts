/** The page of the second step, and its plain forms for every kind of factor that a form can set up or prove. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { FACTOR_PATHS } from '../../../../contract/factor-paths.js';
import { PATHS } from '../../../../contract/paths.js';
import { CurrentRequestContext, type RequestContext } from '../../../../gateway/http/request-context.js';
import type { Outcome } from '../../../../gateway/page/outcome.js';
import { Public, AcceptsOutdatedForm } from '../../../../gateway/security/access.guard.js';
import { buildPaths } from '../../../../mfa/registry.js';
import { SignIns } from '../../sign-in.js';
import { EnrolmentFlow } from './enrolment.flow.js';
import { VerificationFlow } from './verification.flow.js';
import { VerificationForm, VerificationQuery } from './verification.form.js';

const ENROL_PATHS = buildPaths(FACTOR_PATHS.enrol, ({ setUpBy }) => setUpBy === 'forms');

@Public()
@Controller()
export class VerificationController {
  constructor(
    private readonly signIns: SignIns,
    private readonly flow: VerificationFlow,
    private readonly enrolment: EnrolmentFlow,
  ) {}

  /** The form addresses of a set-up also show the page, for a reload after an error. */
  @Get([PATHS.mfaVerify, ...ENROL_PATHS])
  show(@Query() query: VerificationQuery, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.show(query, context);
  }

  /**
   * A form that was made for an earlier id of this browser is accepted (`restoreForm`). For any other outdated form the page is shown
   * again.
   */
  @Post(PATHS.mfaVerify)
  @AcceptsOutdatedForm()
  async submit(@Body() form: VerificationForm, @CurrentRequestContext() requestContext: RequestContext): Promise<Outcome> {
    const context = await this.signIns.restoreForm(form.login_challenge, requestContext);
    return context.xsrf === null ? this.flow.show(form, context) : this.flow.submit(form, context);
  }

  @Post(ENROL_PATHS)
  @AcceptsOutdatedForm()
  enrol(@Body() form: VerificationForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return context.xsrf === null ? this.flow.show(form, context) : this.enrolment.submit(form, context);
  }
}
