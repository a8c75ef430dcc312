/** The login page. */
import { Controller, Get, Query } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { Challenge } from '../../gateway/http/form-fields.decorators.js';
import { CurrentRequestContext, type RequestContext } from '../../gateway/http/request-context.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { Public } from '../../gateway/security/access.guard.js';
import { LoginRequestFlow } from './login-request.flow.js';

class LoginQuery {
  @Challenge()
  [FIELDS.loginChallenge] = '';
}

@Public()
@Controller()
export class LoginController {
  constructor(private readonly loginRequest: LoginRequestFlow) {}

  /** The addresses of the forms also show the page, for a reload after an error and for the back link of another step. */
  @Get([PATHS.login, PATHS.loginNative, PATHS.loginPasskey, PATHS.loginProceed])
  show(@Query() query: LoginQuery, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.loginRequest.start(query.login_challenge, context);
  }
}
