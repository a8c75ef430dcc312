/** `GET /login/{provider}`: redirects to the provider for a waiting login request (PRV-1). */
import { Inject, Injectable } from '@nestjs/common';
import { ProviderTransactions } from '../../../../accounts/secrets/provider-transactions.js';
import { RequestLimits } from '../../../../accounts/limits/request-limits.js';
import { CONFIG } from '../../../../config/config.token.js';
import type { Config } from '../../../../config/config.js';
import { randomToken } from '../../../../config/keys.js';
import { redirect, type Outcome } from '../../../../gateway/page/outcome.js';
import type { RequestContext } from '../../../../gateway/http/request-context.js';
import { buildCallbackUrl, IdentityProviders, type ProviderProfile } from '../../../../providers/identity-providers.port.js';
import { ProviderUnavailable } from '../../../../providers/provider.errors.js';
import { LoginRequestFlow, type OpenLoginRequest } from '../../login-request.flow.js';
import { LoginScreens } from '../../login-screens.js';

export interface StartRequest {
  challenge: string;
  /** Whether the person stays signed in. */
  remember: boolean;
  /** The address that the person typed on the login page. */
  loginHint?: string;
}

@Injectable()
export class StartAtProviderFlow {
  constructor(
    private readonly loginRequest: LoginRequestFlow,
    private readonly providers: IdentityProviders,
    private readonly transactions: ProviderTransactions,
    private readonly limits: RequestLimits,
    private readonly screens: LoginScreens,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  async start(provider: ProviderProfile, startRequest: StartRequest, context: RequestContext): Promise<Outcome> {
    const openRequest = await this.loginRequest.open(startRequest.challenge, context, { replacesProof: true });
    if ('outcome' in openRequest) return openRequest.outcome;
    const { request } = openRequest.signIn;
    const retryAfter = await this.limits.count('provider-sign-in', context);
    if (retryAfter !== null) {
      return this.screens.buildLoginScreen(request, context, {
        problem: { error: 'limited', retry_after: retryAfter },
        status: 429,
        retryAfter,
      });
    }
    try {
      return await this.#send(provider, { ...openRequest, ...startRequest }, context);
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      const problem = { error: 'provider-down', provider: provider.name } as const;
      return this.screens.buildLoginScreen(request, context, { problem, status: 503 });
    }
  }

  async #send(
    { id: provider, responseMode }: ProviderProfile,
    { signIn, ticket, requiresReauthentication, maxAgeSeconds, remember, loginHint }: OpenLoginRequest & StartRequest,
    context: RequestContext,
  ): Promise<Outcome> {
    const { challenge, uiLocales } = signIn.request;
    const handle = responseMode === 'form_post' ? (context.providerTransaction ?? randomToken()) : null;
    const purpose = { kind: 'sign-in', challenge, remember } as const;
    const redirectUri = buildCallbackUrl(this.config.publicUrl, provider);
    const url = await this.transactions.start({ provider, browser: context.browser, handle, purpose }, (state) =>
      this.providers.begin({
        provider,
        redirectUri,
        state,
        uiLocales,
        loginHint,
        chooseAccount: requiresReauthentication,
        ...(maxAgeSeconds === null ? {} : { reauthentication: { maxAgeSeconds } }),
      }),
    );
    return redirect(url, { resume: ticket, ...(handle === null ? {} : { answer: handle }) });
  }
}
