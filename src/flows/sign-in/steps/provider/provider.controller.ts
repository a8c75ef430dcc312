/**
 * `/login/{provider}`, its callbacks and the account selection (PRV-1, ACC-2). A provider that is not configured has no addresses.
 */
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { defined } from '../../../../config/defined.js';
import { PATHS, SERVER_PATHS } from '../../../../contract/paths.js';
import { ProviderAnswer, Public, AcceptsOutdatedForm } from '../../../../gateway/security/access.guard.js';
import { Fault } from '../../../../gateway/http/faults.js';
import type { Outcome } from '../../../../gateway/page/outcome.js';
import { CurrentRequestContext, type RequestContext } from '../../../../gateway/http/request-context.js';
import { IdentityProviders, type ProviderProfile } from '../../../../providers/identity-providers.port.js';
import { Dispatch } from '../../dispatch.js';
import { LoginRequestFlow } from '../../login-request.flow.js';
import { AccountChoice } from './account-choice.flow.js';
import { ProviderCallbackFlow } from './callback.flow.js';
import { StartAtProviderFlow } from './start.flow.js';
import { ChoiceForm, StartAtProviderQuery, StoredCallbackQuery } from './provider.form.js';

@Public()
@Controller(`${PATHS.login}/:provider`)
export class ProviderController {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly loginRequest: LoginRequestFlow,
    private readonly start: StartAtProviderFlow,
    private readonly callback: ProviderCallbackFlow,
    private readonly choice: AccountChoice,
    private readonly dispatch: Dispatch,
  ) {}

  @Get()
  async startSignIn(
    @Param('provider') id: string,
    @Query() query: StartAtProviderQuery,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<Outcome> {
    const { login_challenge: challenge, login_hint: loginHint } = query;
    const startRequest = { challenge, remember: this.dispatch.remembers(query.remember), ...defined({ loginHint }) };
    return this.start.start(this.#get(id), startRequest, context);
  }

  @Get(SERVER_PATHS.providerCallback)
  async takeQueryCallback(@Param('provider') id: string, @CurrentRequestContext() context: RequestContext): Promise<Outcome> {
    return this.callback.takeQuery(this.#get(id), context);
  }

  @Post(SERVER_PATHS.providerCallback)
  @ProviderAnswer()
  async takeFormCallback(
    @Param('provider') id: string,
    @Body() body: unknown,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<Outcome> {
    return this.callback.takeForm(this.#get(id), body, context);
  }

  /** Without the name of a stored callback in the address, the login screen is shown, for a reload or Back. */
  @Get(PATHS.providerAccount)
  async continueSignIn(
    @Param('provider') id: string,
    @Query() query: StoredCallbackQuery,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<Outcome> {
    const provider = this.#get(id);
    if (query.answer === undefined) return this.loginRequest.start(query.login_challenge, context);
    return this.callback.resume(provider, query.answer, context);
  }

  /** An outdated form leads to the login screen, from which the person can go to the provider again. */
  @Post(PATHS.providerAccount)
  @AcceptsOutdatedForm()
  async choose(
    @Param('provider') id: string,
    @Body() form: ChoiceForm,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<Outcome> {
    const provider = this.#get(id);
    const { login_challenge } = form;
    return context.xsrf === null
      ? this.loginRequest.showAgain({ login_challenge }, context)
      : this.choice.choose(provider, form, context);
  }

  #get(id: string): ProviderProfile {
    const profile = this.providers.find(id);
    if (!profile) throw new Fault('page_not_found', 'No provider with this id is configured');
    return profile;
  }
}
