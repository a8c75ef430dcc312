/** The login screen in all its states, for all ways of signing in. */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import type { SourceProblem } from '../../accounts/password/source-sign-in.js';
import type { ChallengeFault, LoginState } from '../../contract/page-state.js';
import { redirect, type Outcome, type PageOptions, type PageOutcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { SignInChallenges } from '../../passkeys/sign-in-challenge.js';
import { toLoginUrl } from './login-url.js';
import type { FoundSignIn } from './sign-in.js';
import { toProviderState, toShownFault } from './waiting-request.js';
import type { Refusal } from './dispatch.js';
import { FlowPages, type PresentedChallenge } from './flow-pages.js';
import { HintedUsername } from './hinted-username.js';
import { SOURCE_REFUSALS, buildPersonRefusalPage, type PersonRefusal } from './person-refusal.page.js';
import { readRequestHints } from './registration-hints.js';
import { IdentityProviders } from '../../providers/identity-providers.port.js';
import { buildLoginFaultPage, buildLoginPage, type LoginFaultParts, type LoginProblem } from './login.page.js';

export interface TypedLogin {
  username?: string;
  remember?: string;
  /** See `LoginState`. */
  password_here?: string;
  /** See `LoginState.connect`. */
  connect_offer?: string;
}

export interface FailedAttempt {
  /** The values that the form shows again, or that the step fills in. */
  form?: TypedLogin;
  problem: LoginProblem;
  status: number;
  retryAfter?: number;
  /** Id of a passkey that no account has. */
  unknownPasskey?: string;
}

/** @returns the secret of the offer that the login page has shown (`{provider}.{secret}`) */
export function readConnectOffer({ connect_offer: offer }: TypedLogin): { connectOffer?: string } {
  const secret = offer?.split('.')[1];
  return defined({ connectOffer: secret });
}

@Injectable()
export class LoginScreens {
  constructor(
    private readonly pages: FlowPages,
    private readonly providers: IdentityProviders,
    private readonly hintedUsername: HintedUsername,
    private readonly passkeys: SignInChallenges,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login' | 'mail' | 'passkeys' | 'registration' | 'sources'>,
  ) {}

  /** Adds the username that the screen fills in. */
  async addHintedUsername(request: LoginRequest, context: RequestContext): Promise<LoginRequest> {
    const username = await this.hintedUsername.find(request, context);
    return username === undefined ? request : { ...request, loginHint: username };
  }

  buildLoginScreen(request: LoginRequest, context: RequestContext, failedAttempt?: FailedAttempt): PageOutcome {
    const { options, ...values } = this.buildCommonValues(request, context);
    const { service, signUp, hintNames } = this.config.registration;
    return buildLoginPage({
      request,
      ...values,
      config: this.config,
      providers: this.providers.list().map(toProviderState),
      domains: this.#buildDomainState(failedAttempt?.form),
      ...defined({ connect: this.#findConnectOffer(failedAttempt?.form?.connect_offer) }),
      passkey: this.#buildPasskeyState(request, context, failedAttempt?.unknownPasskey),
      hints: service ? readRequestHints(this.pages.authorizationRequest(request), hintNames) : {},
      canRegister: signUp !== undefined,
      ...(failedAttempt?.form
        ? { input: { username: failedAttempt.form.username ?? '', remember: failedAttempt.form.remember === 'true' } }
        : {}),
      ...(failedAttempt ? { problem: failedAttempt.problem } : {}),
      options: {
        ...options,
        ...(failedAttempt ? { status: failedAttempt.status } : {}),
        ...(failedAttempt?.retryAfter === undefined ? {} : { retryAfterSeconds: failedAttempt.retryAfter }),
      },
    });
  }

  #buildDomainState(form: TypedLogin = {}): Pick<LoginState, 'by' | 'by_domain' | 'password_here'> {
    if (!this.providers.list().some(({ domains = [] }) => domains.length > 0)) return {};
    return form.password_here === 'true' ? { by: 'email', password_here: true } : { by: 'email', by_domain: true };
  }

  /** The name of the provider is not taken from the form. */
  #findConnectOffer(offer: string | undefined): LoginState['connect'] {
    const provider = offer === undefined ? null : this.providers.find(offer.split('.')[0] ?? '');
    return offer === undefined || provider === null ? undefined : { offer, provider: provider.name };
  }

  #buildPasskeyState({ challenge }: LoginRequest, { browser }: RequestContext, unknownPasskey?: string): LoginState['passkey'] {
    const request = this.passkeys.buildOptions({ challenge, browser });
    if (!request) return undefined;
    const isFirst = this.config.passkeys.mode === 'preferred';
    return { request, ...(isFirst ? { first: true } : {}), ...defined({ unknown: unknownPasskey }) };
  }

  /** Common values of all pages of a login request. */
  buildCommonValues(request: LoginRequest, context: RequestContext): { xsrfToken: string; ticket: string; options: PageOptions } {
    const ticket = this.pages.ticket(request);
    const options = { ...this.pages.pageOptions(request), cookies: { resume: ticket } };
    return { xsrfToken: this.pages.xsrfToken(context), ticket, options };
  }

  /** The page for a callback that belongs to no request. It offers to start the last request of this browser again. */
  buildUnknownCallbackPage(restartUrl: string | null, context: RequestContext): PageOutcome {
    const { remember } = this.config.login;
    return buildLoginFaultPage({
      fault: 'expired',
      challenge: '',
      restartUrl,
      xsrfToken: this.pages.xsrfToken(context),
      remember,
    });
  }

  /** Like `buildFaultPage`, for a request that Hydra has described: its address can replace a return ticket. */
  buildUnusableRequestPage(fault: ChallengeFault, request: LoginRequest, context: RequestContext): PageOutcome {
    return this.#buildLoginFaultPage(
      fault,
      { challenge: request.challenge, restartUrl: this.pages.buildRestartUrl(request, context) },
      context,
    );
  }

  /** Answers a request or a form whose sign-in is not open in this browser. */
  answerFoundSignIn(
    foundSignIn: Exclude<FoundSignIn, { kind: 'open' }>,
    presentedChallenge: PresentedChallenge,
    context: RequestContext,
  ): Outcome {
    switch (foundSignIn.kind) {
      case 'repeated':
        return foundSignIn.answer;
      case 'session':
        // The request has a session already; `GET /login` decides whether this browser owns it (S-15b).
        return redirect(toLoginUrl(presentedChallenge.challenge));
      case 'fault':
        return this.buildFaultPage(foundSignIn.fault, presentedChallenge, context);
    }
  }

  /** The page for a proof that `Dispatch` has refused and recorded in the audit log, because the challenge can no longer be used. */
  buildRefusalPage(refusal: Exclude<Refusal, 'ended'>, presentedChallenge: PresentedChallenge, context: RequestContext): Outcome {
    if (refusal === 'own-proof' || refusal === 'new-proof' || refusal === 'no-set-up') {
      throw new Error(`The step has to answer the refusal "${refusal}" with a page of its own.`);
    }
    const { challenge } = presentedChallenge;
    const restartUrl = this.pages.restartUrl(presentedChallenge, context);
    return this.#buildLoginFaultPage(refusal, { challenge, restartUrl, requestId: context.requestId }, context);
  }

  buildSourceProblemPage({ problem, passwordUrl }: SourceProblem, request: LoginRequest, context: RequestContext): Outcome {
    return this.buildPersonRefusalPage({ code: SOURCE_REFUSALS[problem], passwordUrl }, request, context);
  }

  /** See `person-refusal.page.ts`. */
  buildPersonRefusalPage(refusal: PersonRefusal, request: LoginRequest, context: RequestContext): Outcome {
    const { options } = this.buildCommonValues(request, context);
    return buildPersonRefusalPage(refusal, request, { options, requestId: context.requestId });
  }

  /** The page for a challenge that cannot be used in this browser. */
  buildFaultPage(fault: ChallengeFault, presentedChallenge: PresentedChallenge, context: RequestContext): PageOutcome {
    const { challenge } = presentedChallenge;
    return this.#buildLoginFaultPage(
      fault,
      { challenge, restartUrl: this.pages.restartUrl(presentedChallenge, context) },
      context,
    );
  }

  #buildLoginFaultPage(
    fault: ChallengeFault,
    parts: Pick<LoginFaultParts, 'challenge' | 'restartUrl' | 'requestId'>,
    context: RequestContext,
  ): PageOutcome {
    const xsrfToken = this.pages.xsrfToken(context);
    return buildLoginFaultPage({
      fault: toShownFault(fault, context),
      ...parts,
      xsrfToken,
      remember: this.config.login.remember,
    });
  }
}
