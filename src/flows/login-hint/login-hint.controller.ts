import { Body, Controller, Post } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import { Public } from '../../gateway/security/access.guard.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentRequestContext } from '../../gateway/http/request-context.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { LoginHintFlow, ProceedForm } from './login-hint.flow.js';

@Public()
@Controller()
export class LoginHintController {
  constructor(private readonly flow: LoginHintFlow) {}

  @Post(PATHS.loginProceed)
  proceed(@Body() form: ProceedForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.flow.proceed(form, context);
  }
}
