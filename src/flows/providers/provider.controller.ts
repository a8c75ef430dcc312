/** `/login/{provider}` and what follows it (PRV-1, ACC-2). A provider that is not set up has no addresses. */
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import { ProviderAnswer, Public } from '../../gateway/security/access.guard.js';
import { Fault } from '../../gateway/http/faults.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import { CurrentVisit } from '../../gateway/http/request-context.js';
import type { Visit } from '../../gateway/http/request-context.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';
import type { ProviderProfile } from '../../providers/identity-providers.port.js';
import { OpeningFlow } from '../login/login-request.flow.js';
import { AccountChoice } from './account-choice.flow.js';
import { AnswerFlow } from './callback.flow.js';
import { DepartureFlow } from './start.flow.js';
import { ChoiceForm, DepartureQuery, ParkedQuery } from './provider.form.js';

@Public()
@Controller(`${PATHS.login}/:provider`)
export class ProviderController {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly opening: OpeningFlow,
    private readonly departure: DepartureFlow,
    private readonly answers: AnswerFlow,
    private readonly choice: AccountChoice,
  ) {}

  @Get()
  async leave(@Param('provider') id: string, @Query() query: DepartureQuery, @CurrentVisit() visit: Visit): Promise<Outcome> {
    const wish = { challenge: query.login_challenge, remember: query.remember === 'true' };
    return this.departure.leave(this.#get(id), wish, visit);
  }

  @Get(PATHS.providerCallback)
  async comeBack(@Param('provider') id: string, @CurrentVisit() visit: Visit): Promise<Outcome> {
    return this.answers.byQuery(this.#get(id), visit);
  }

  @Post(PATHS.providerCallback)
  @ProviderAnswer()
  async answered(@Param('provider') id: string, @Body() body: unknown, @CurrentVisit() visit: Visit): Promise<Outcome> {
    return this.answers.byForm(this.#get(id), body, visit);
  }

  /** Without an answer that waits: the login screen, for a reload or the way back. */
  @Get(PATHS.providerAccount)
  async goOn(@Param('provider') id: string, @Query() query: ParkedQuery, @CurrentVisit() visit: Visit): Promise<Outcome> {
    const provider = this.#get(id);
    if (query.answer === undefined) return this.opening.start(query.login_challenge, visit);
    return this.answers.parked(provider, query.answer, visit);
  }

  @Post(PATHS.providerAccount)
  async choose(@Param('provider') id: string, @Body() form: ChoiceForm, @CurrentVisit() visit: Visit): Promise<Outcome> {
    return this.choice.choose(this.#get(id), form, visit);
  }

  #get(id: string): ProviderProfile {
    const profile = this.providers.find(id);
    if (!profile) throw new Fault('page_not_found', 'No provider of this name is set up');
    return profile;
  }
}
