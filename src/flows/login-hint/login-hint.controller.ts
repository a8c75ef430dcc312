import { Body, Controller, Post } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import { Public, ShowsStaleForm } from '../../gateway/security/access.guard.js';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import { loginUrl } from '../sign-in/login-url.js';
import { LoginHintFlow, ProceedForm } from './login-hint.flow.js';

@Public()
@Controller()
export class LoginHintController {
  constructor(private readonly flow: LoginHintFlow) {}

  /** An outdated form is shown again; nothing is accepted. */
  @Post(PATHS.loginProceed)
  @ShowsStaleForm()
  async proceed(@Body() form: ProceedForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return context.form === null ? redirect(loginUrl(form.login_challenge)) : this.flow.proceed(form, context);
  }
}
