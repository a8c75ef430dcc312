import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import { Public, ShowsStaleForm } from '../../gateway/security/access.guard.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import { LoginFlow } from './login.flow.js';
import { LoginForm, LoginQuery } from './login.form.js';
import { LoginRequestFlow } from '../sign-in/login-request.flow.js';

@Public()
@Controller()
export class LoginController {
  constructor(
    private readonly loginRequest: LoginRequestFlow,
    private readonly flow: LoginFlow,
  ) {}

  /** The addresses of the forms show the screen too: for a reload after an error and the back link of another step. */
  @Get([PATHS.login, PATHS.loginNative, PATHS.loginPasskey, PATHS.loginProceed])
  show(@Query() query: LoginQuery, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.loginRequest.start(query.login_challenge, context);
  }

  @Post(PATHS.loginNative)
  @ShowsStaleForm()
  submit(@Body() form: LoginForm, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return context.form === null ? this.loginRequest.again(form, context) : this.flow.submit(form, context);
  }
}
