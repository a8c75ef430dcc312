/**
 * Opens login requests, for `GET /login` and for the ways of signing in. `GET /login` shows the login screen, unless a session is
 * remembered (LOG-10), the request forbids a screen (LOG-11), or the first factor is already proven.
 */
import { Injectable } from '@nestjs/common';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { HydraPort, type LoginRequest } from '../../hydra/hydra.port.js';
import { FlowPages } from './flow-pages.js';
import { addOpenedRequest } from './opened-requests.js';
import { SignIns, type SignIn } from './sign-in.js';
import { CarriedTab } from './steps/carried-tab.js';
import { RememberedLogin } from './steps/remembered-session.js';
import { LoginScreens, type TypedLogin } from './login-screens.js';
import { toSecondStepUrl } from './login-url.js';
import { toChallengeFault } from './waiting-request.js';

/** A login request that needs a person to sign in. */
export interface OpenLoginRequest {
  signIn: SignIn;
  /** Return ticket of the request. */
  ticket: string;
  /** Whether a signed-in person must prove their identity again. */
  requiresReauthentication: boolean;
  /** See `AuthorizationRequest.maxAgeSeconds`. */
  maxAgeSeconds: number | null;
}

@Injectable()
export class LoginRequestFlow {
  constructor(
    private readonly hydra: HydraPort,
    private readonly signIns: SignIns,
    private readonly rememberedLogin: RememberedLogin,
    private readonly carriedTab: CarriedTab,
    private readonly pages: FlowPages,
    private readonly screens: LoginScreens,
  ) {}

  async start(challenge: string, context: RequestContext): Promise<Outcome> {
    const request = await this.signIns.askHydra(challenge);
    if (typeof request === 'string') return this.screens.buildFaultPage(request, { challenge }, context);
    const result = await this.#open(request, { ...context, submission: context.carriedSecret });
    const screen =
      'id' in result ? this.screens.buildLoginScreen(await this.screens.addHintedUsername(request, context), context) : result;
    return addOpenedRequest(screen, 'login', { request, context });
  }

  /**
   * Shows the screen again after a form with an outdated anti-forgery value (`AcceptsOutdatedForm`), with the entered values except
   * the password.
   */
  async showAgain(form: TypedLogin & { login_challenge: string }, context: RequestContext): Promise<Outcome> {
    const openRequest = await this.open(form.login_challenge, context);
    if ('outcome' in openRequest) return openRequest.outcome;
    return this.screens.buildLoginScreen(openRequest.signIn.request, context, { form, problem: { error: 'stale' }, status: 403 });
  }

  /**
   * Opens a request for any way of signing in. A challenge belongs to the browser that opens it first.
   * @param replacesProof whether the next proof replaces a first factor that was already proven: the person has gone back to the login page
   * and chosen another way of signing in. If false, a sign-in whose first factor was proven leads to the page of the second factor
   */
  async open(
    challenge: string,
    context: RequestContext,
    { replacesProof = false }: { replacesProof?: boolean } = {},
  ): Promise<OpenLoginRequest | { outcome: Outcome }> {
    const request = await this.signIns.askHydra(challenge);
    if (typeof request === 'string') return { outcome: this.screens.buildFaultPage(request, { challenge }, context) };
    const result = await this.#open(request, context, { replacesProof });
    if (!('id' in result)) return { outcome: result };
    const authorizationRequest = this.pages.authorizationRequest(request);
    return {
      signIn: { ...result, request: await this.screens.addHintedUsername(request, context) },
      ticket: this.pages.ticket(request),
      requiresReauthentication: authorizationRequest?.hasPrompt('login') ?? true,
      maxAgeSeconds: authorizationRequest ? authorizationRequest.maxAgeSeconds() : 0,
    };
  }

  /**
   * @returns the sign-in; or the outcome if no first factor has to be proven now, or none can be proven for this request in this browser
   */
  #open(request: LoginRequest, context: RequestContext, options: { replacesProof?: boolean } = {}): Promise<SignIn | Outcome> {
    return this.#claim(request, context, options).catch((error: unknown) =>
      this.screens.buildFaultPage(toChallengeFault(error), { challenge: request.challenge }, context),
    );
  }

  async #claim(request: LoginRequest, context: RequestContext, { replacesProof = false }): Promise<SignIn | Outcome> {
    const { challenge } = request;
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (request.skip) return this.#continue(request, context);
    if (authorizationRequest?.hasPrompt('none')) {
      return redirect(await this.hydra.rejectLogin(challenge, { code: 'login_required', description: 'Nobody is signed in.' }));
    }
    const foundSignIn = await this.signIns.claim(request, context);
    if (foundSignIn.kind === 'fault') return this.screens.buildUnusableRequestPage(foundSignIn.fault, request, context);
    if (foundSignIn.kind !== 'open') return this.screens.answerFoundSignIn(foundSignIn, { challenge }, context);
    // The first factor was already proven; the login screen would only ask for it again.
    if (foundSignIn.signIn.isIdentified && !replacesProof) return redirect(toSecondStepUrl(challenge));
    const carriedAnswer = await this.carriedTab.answer(request, foundSignIn.signIn, context);
    if (carriedAnswer) return carriedAnswer;
    return authorizationRequest?.hasPrompt('select_account')
      ? redirect(authorizationRequest.withLoginPrompt())
      : foundSignIn.signIn;
  }

  /** Answers a request with `skip`. No sign-in is stored, because the session already belongs to a browser. */
  async #continue(request: LoginRequest, context: RequestContext): Promise<Outcome> {
    const fault = await this.signIns.findFault(request.challenge, context);
    if (fault) return this.screens.buildUnusableRequestPage(fault, request, context);
    return (await this.carriedTab.answer(request, null, context)) ?? this.rememberedLogin.answer(request, context);
  }
}
