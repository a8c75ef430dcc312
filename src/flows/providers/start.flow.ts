/** `GET /login/{provider}`: off to the provider, for a request that waits for a sign-in (PRV-1). */
import { Inject, Injectable } from '@nestjs/common';
import { ProviderErrands } from '../../accounts/secrets/provider-transactions.js';
import { RequestLimits } from '../../accounts/limits/request-limits.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import type { Visit } from '../../gateway/http/request-context.js';
import { callbackUrl, IdentityProviders } from '../../providers/identity-providers.port.js';
import type { ProviderProfile } from '../../providers/identity-providers.port.js';
import { ProviderUnavailable } from '../../providers/provider.errors.js';
import { OpeningFlow } from '../login/login-request.flow.js';
import type { OpenedRequest } from '../login/login-request.flow.js';
import { LoginScreens } from '../login/screens.js';

export interface Wish {
  challenge: string;
  /** The box of the login page; the link brings it where a script can. */
  remember: boolean;
}

@Injectable()
export class DepartureFlow {
  constructor(
    private readonly opening: OpeningFlow,
    private readonly providers: IdentityProviders,
    private readonly errands: ProviderErrands,
    private readonly limits: RequestLimits,
    private readonly screens: LoginScreens,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl' | 'login'>,
  ) {}

  async leave(provider: ProviderProfile, wish: Wish, visit: Visit): Promise<Outcome> {
    const opened = await this.opening.open(wish.challenge, visit);
    if ('instead' in opened) return opened.instead;
    const { request } = opened;
    const retryAfter = await this.limits.count('provider-sign-in', visit);
    if (retryAfter !== null) {
      return this.screens.login(request, visit, {
        problem: { error: 'limited', retry_after: retryAfter },
        status: 429,
        retryAfter,
      });
    }
    try {
      return await this.#send(provider, { ...opened, remember: this.#remembers(wish) }, visit);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      const problem = { error: 'provider-down', provider: provider.name } as const;
      return this.screens.login(request, visit, { problem, status: 503 });
    }
  }

  async #send(
    { id: provider, responseMode }: ProviderProfile,
    { request, ticket, asksAnew, remember }: OpenedRequest & { remember: boolean },
    visit: Visit,
  ): Promise<Outcome> {
    const { challenge, uiLocales } = request;
    const handle = responseMode === 'form_post' ? (visit.answer ?? randomToken()) : null;
    const errand = { kind: 'sign-in', challenge, remember } as const;
    const redirectUri = callbackUrl(this.config.publicUrl, provider);
    const url = await this.errands.send({ provider, browser: visit.browser, handle, errand }, (state) =>
      this.providers.begin({ provider, redirectUri, state, uiLocales, chooseAccount: asksAnew }),
    );
    return redirect(url, { resume: ticket, ...(handle === null ? {} : { answer: handle }) });
  }

  #remembers({ remember }: Wish): boolean {
    const { remember: setting } = this.config.login;
    return setting === 'ask' ? remember : setting === 'on';
  }
}
