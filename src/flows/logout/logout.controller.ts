import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import { Public } from '../../gateway/security/access.guard.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentVisit } from '../../gateway/http/request-context.js';
import type { Visit } from '../../gateway/http/request-context.js';
import { LogoutFlow, LogoutForm } from './logout.flow.js';

@Public()
@Controller()
export class LogoutController {
  constructor(private readonly flow: LogoutFlow) {}

  @Get([PATHS.logout, PATHS.logoutAccept])
  show(@Query() query: LogoutForm, @CurrentVisit() visit: Visit): Promise<Outcome> {
    return this.flow.start(query.logout_challenge, visit);
  }

  @Get(PATHS.logoutCallback)
  landing(@CurrentVisit() visit: Visit): Promise<Outcome> {
    return this.flow.landing(visit);
  }

  @Get(PATHS.logoutReject)
  aborted(@CurrentVisit() visit: Visit): Outcome {
    return this.flow.aborted(visit);
  }

  @Post(PATHS.logoutAccept)
  accept(@Body() form: LogoutForm, @CurrentVisit() visit: Visit): Promise<Outcome> {
    return this.flow.accept(form.logout_challenge, visit);
  }

  @Post(PATHS.logoutReject)
  reject(@Body() form: LogoutForm, @CurrentVisit() visit: Visit): Promise<Outcome> {
    return this.flow.reject(form.logout_challenge, visit);
  }
}
