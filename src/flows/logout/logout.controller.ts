import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import { Public } from '../../gateway/security/access.guard.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentRequestContext } from '../../gateway/http/request-context.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
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
  callback(@CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.callback(context);
  }

  @Get(PATHS.logoutReject)
  rejected(@CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.rejected(context);
  }

  @Post(PATHS.logoutAccept)
  accept(@Body() form: LogoutForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.accept(form.logout_challenge, context);
  }

  @Post(PATHS.logoutReject)
  reject(@Body() form: LogoutForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.reject(form.logout_challenge, context);
  }
}
