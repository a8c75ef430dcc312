/** The routes of a logout: the question, its two answers, and the result page. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import { Public, AcceptsOutdatedForm } from '../../gateway/security/access.guard.js';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import { LogoutFlow, LogoutForm } from './logout.flow.js';

@Public()
@Controller()
export class LogoutController {
  constructor(private readonly flow: LogoutFlow) {}

  @Get([PATHS.logout, PATHS.logoutAccept])
  show(@Query() query: LogoutForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.start(query.logout_challenge, context);
  }

  @Get(PATHS.logoutCallback)
  showResult(@CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.showResult(context);
  }

  @Get(PATHS.logoutReject)
  showRejection(@CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.showRejection(context);
  }

  /** A form is outdated if another tab signed out or in meanwhile: the result page asks again or reports what happened. */
  @Post(PATHS.logoutAccept)
  @AcceptsOutdatedForm()
  async accept(@Body() form: LogoutForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return context.xsrf === null ? redirect(PATHS.logoutCallback) : this.flow.accept(form.logout_challenge, context);
  }

  @Post(PATHS.logoutReject)
  @AcceptsOutdatedForm()
  async reject(@Body() form: LogoutForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return context.xsrf === null ? redirect(PATHS.logoutCallback) : this.flow.reject(form.logout_challenge, context);
  }
}
