import { Body, Controller, Post } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import { Public } from '../../gateway/security/access.guard.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentVisit } from '../../gateway/http/request-context.js';
import type { Visit } from '../../gateway/http/request-context.js';
import { LoginHintFlow, ProceedForm } from './login-hint.flow.js';

@Public()
@Controller()
export class LoginHintController {
  constructor(private readonly flow: LoginHintFlow) {}

  @Post(PATHS.loginProceed)
  proceed(@Body() form: ProceedForm, @CurrentVisit() visit: Visit): Promise<Outcome> {
    return this.flow.proceed(form, visit);
  }
}
