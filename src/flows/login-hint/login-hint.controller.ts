import { Body, Controller, Post } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import { Public } from '../../gateway/access.guard.js';
import type { Outcome } from '../../gateway/outcome.js';
import { CurrentVisit } from '../../gateway/visit.js';
import type { Visit } from '../../gateway/visit.js';
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
