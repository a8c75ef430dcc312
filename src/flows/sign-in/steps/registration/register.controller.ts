/**
 * The redirect to the registration service and back (REG-1, REG-3), and the public keys with which the service verifies registration
 * tickets.
 */
import { Body, Controller, Get, Header, Post, Query } from '@nestjs/common';
import { PATHS, SERVER_PATHS } from '../../../../contract/paths.js';
import { Public, AcceptsOutdatedForm } from '../../../../gateway/security/access.guard.js';
import { Fault } from '../../../../gateway/http/faults.js';
import type { Outcome } from '../../../../gateway/page/outcome.js';
import { CurrentRequestContext, type RequestContext } from '../../../../gateway/http/request-context.js';
import { LoginRequestFlow } from '../../login-request.flow.js';
import { SignIns } from '../../sign-in.js';
import { RegistrationService } from '../../../../providers/registration/registration-service.js';
import { StartRegistrationFlow } from './start.flow.js';
import { CallbackQuery, RegisterForm } from './register.form.js';
import { RegistrationCallbackFlow } from './callback.flow.js';
import { RegistrationScreens } from './screens.js';

@Public()
@Controller()
export class RegisterController {
  constructor(
    private readonly startFlow: StartRegistrationFlow,
    private readonly callbackFlow: RegistrationCallbackFlow,
    private readonly screens: RegistrationScreens,
    private readonly service: RegistrationService,
    private readonly loginRequest: LoginRequestFlow,
    private readonly signIns: SignIns,
  ) {}

  /** Hydra redirects here for `prompt=registration`. */
  @Get(PATHS.register)
  start(
    @Query() { login_challenge: challenge }: RegisterForm,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<Outcome> {
    return this.startFlow.start(challenge, context);
  }

  /**
   * A form that was made for an earlier id of this browser is accepted (`restoreForm`); any other outdated form leads to the login
   * screen, which contains this form.
   */
  @Post(PATHS.register)
  @AcceptsOutdatedForm()
  async submit(
    @Body() { login_challenge: challenge }: RegisterForm,
    @Body() fields: Record<string, unknown>,
    @CurrentRequestContext() requestContext: RequestContext,
  ): Promise<Outcome> {
    const context = await this.signIns.restoreForm(challenge, requestContext);
    return context.xsrf === null
      ? this.loginRequest.showAgain({ login_challenge: challenge }, context)
      : this.startFlow.submit({ challenge, fields }, context);
  }

  /**
   * A GET, because on the way from another site the browser sends its cookies only with a GET. The redirect removes the answer
   * from the address.
   */
  @Get(PATHS.registerCallback)
  takeCallback(
    @Query() query: CallbackQuery,
    @Query() { answer }: Record<string, unknown>,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<Outcome> {
    return answer === undefined ? this.screens.show(query, context) : this.callbackFlow.take(answer, context);
  }

  @Get(SERVER_PATHS.registerKeys)
  @Header('Content-Type', 'application/jwk-set+json')
  @Header('Cache-Control', 'public, max-age=300')
  async listKeys(): Promise<object> {
    if (!this.service.isConfigured) throw new Fault('page_not_found', 'No registration service is configured');
    return this.service.listPublicKeys();
  }
}
