/** The routes on which people create their own accounts. */
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { PATHS } from '../../../../contract/paths.js';
import { CurrentRequestContext, type RequestContext } from '../../../../gateway/http/request-context.js';
import type { Outcome } from '../../../../gateway/page/outcome.js';
import { AcceptsOutdatedForm, Public } from '../../../../gateway/security/access.guard.js';
import { SignIns } from '../../sign-in.js';
import { SignUpApplicationFlow } from './application.flow.js';
import { SignUpPasswordFlow } from './password.flow.js';
import { ProvenSignUps } from './proven-sign-up.js';
import { SignUpFlow } from './sign-up.flow.js';
import { ChallengeForm, CodeForm, PasswordForm } from './sign-up.form.js';
import { readWork } from './work.js';

@Public()
@Controller()
export class SignUpController {
  constructor(
    private readonly signIns: SignIns,
    private readonly flow: SignUpFlow,
    private readonly provenSignUps: ProvenSignUps,
    private readonly passwordFlow: SignUpPasswordFlow,
    private readonly applicationFlow: SignUpApplicationFlow,
  ) {}

  @Get(PATHS.registerDetails)
  show(
    @Query() { login_challenge: challenge }: ChallengeForm,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<Outcome> {
    return this.flow.show(challenge, context);
  }

  @Post(PATHS.registerDetails)
  @AcceptsOutdatedForm()
  async submit(
    @Body() { login_challenge: challenge }: ChallengeForm,
    @Body() fields: Record<string, unknown>,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<Outcome> {
    return this.flow.submit(challenge, fields, await this.signIns.restoreForm(challenge, context));
  }

  @Get([PATHS.registerCode, PATHS.registerCodeAgain])
  showCode(
    @Query() { login_challenge: challenge }: ChallengeForm,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<Outcome> {
    return this.flow.showCode(challenge, context);
  }

  @Post(PATHS.registerCode)
  @AcceptsOutdatedForm()
  async enter(
    @Body() { login_challenge: challenge, code = '' }: CodeForm,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<Outcome> {
    return this.flow.enter(challenge, code, await this.signIns.restoreForm(challenge, context));
  }

  @Post(PATHS.registerCodeAgain)
  @AcceptsOutdatedForm()
  async sendAgain(
    @Body() { login_challenge: challenge }: ChallengeForm,
    @Body() fields: Record<string, unknown>,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<Outcome> {
    return this.flow.sendAgain(challenge, readWork(fields), await this.signIns.restoreForm(challenge, context));
  }

  @Get(PATHS.registerPassword)
  showPassword(
    @Query() { login_challenge: challenge }: ChallengeForm,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<Outcome> {
    return this.provenSignUps.show(challenge, context);
  }

  @Post(PATHS.registerPassword)
  @AcceptsOutdatedForm()
  async createAccount(
    @Body() { login_challenge: challenge, password = '', password_repeat: repetition = '', credential }: PasswordForm,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<Outcome> {
    const restoredContext = await this.signIns.restoreForm(challenge, context);
    // Comes first: a passkey must not create an account that an operator has to approve.
    if (this.applicationFlow.isRequired) return this.applicationFlow.submit({ challenge, password, repetition }, restoredContext);
    if (credential !== undefined) return this.passwordFlow.submitPasskey(challenge, credential, restoredContext);
    return this.passwordFlow.submit({ challenge, password, repetition }, restoredContext);
  }
}
