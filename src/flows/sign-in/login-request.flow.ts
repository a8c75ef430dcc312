/** `GET /login`: the login screen, or a redirect if a session is remembered (LOG-10) or no screen is wanted (LOG-11). */
import { Injectable } from '@nestjs/common';
import type { ClaimState } from '../../accounts/sessions/challenge-records.js';
import type { ChallengeFault } from '../../contract/page-state.js';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { HydraPort, type LoginRequest } from '../../hydra/hydra.port.js';
import { CarriedLogin } from './carried-login.js';
import { FlowPages } from './flow-pages.js';
import { KeptRequests } from './kept-requests.js';
import { listed } from './opened-requests.js';
import { RememberedLogin } from './remembered-login.js';
import { challengeFault } from './waiting-request.js';
import { LoginScreens, type TypedLogin } from './login-screens.js';
import { secondStepUrl } from './login-url.js';

/** A login request that needs a person to sign in. */
export interface OpenLoginRequest {
  request: LoginRequest;
  /** Return ticket of the request. */
  ticket: string;
  /** A signed-in person must prove their identity again. */
  requiresReauthentication: boolean;
  /** See `AuthorizationRequest.maxAgeSeconds`. */
  maxAgeSeconds: number | null;
}

@Injectable()
export class LoginRequestFlow {
  constructor(
    private readonly hydra: HydraPort,
    private readonly kept: KeptRequests,
    private readonly remembered: RememberedLogin,
    private readonly pages: FlowPages,
    private readonly screens: LoginScreens,
    private readonly carried: CarriedLogin,
  ) {}

  async start(challenge: string, context: RequestContext): Promise<Outcome> {
    const request = await this.#request(challenge);
    if (typeof request === 'string') return this.screens.broken(request, { challenge }, context);
    const instead = await this.#instead(request, context);
    const screen = instead ?? this.screens.login(await this.screens.hinted(request, context), context);
    return listed(screen, 'login', { request, context });
  }

  /**
   * A form with an outdated anti-forgery value: shows the screen again with the entered values except the password
   * (`ShowsStaleForm`).
   */
  async again(form: TypedLogin & { login_challenge: string }, context: RequestContext): Promise<Outcome> {
    const openRequest = await this.open(form.login_challenge, context);
    if ('instead' in openRequest) return openRequest.instead;
    return this.screens.login(openRequest.request, context, { form, problem: { error: 'stale' }, status: 403 });
  }

  /** For all ways of signing in. The challenge belongs to the browser that opens it first. */
  async open(challenge: string, context: RequestContext): Promise<OpenLoginRequest | { instead: Outcome }> {
    const request = await this.#request(challenge);
    if (typeof request === 'string') return { instead: this.screens.broken(request, { challenge }, context) };
    const instead = await this.#instead(request, context);
    if (instead) return { instead };
    const authorizationRequest = this.pages.authorizationRequest(request);
    return {
      request: await this.screens.hinted(request, context),
      ticket: this.pages.ticket(request),
      requiresReauthentication: authorizationRequest?.hasPrompt('login') ?? true,
      maxAgeSeconds: authorizationRequest ? authorizationRequest.maxAgeSeconds() : 0,
    };
  }

  async #instead(request: LoginRequest, context: RequestContext): Promise<Outcome | null> {
    const { challenge } = request;
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (!request.skip && authorizationRequest?.hasPrompt('none')) {
      return redirect(await this.hydra.rejectLogin(challenge, { code: 'login_required', description: 'Nobody is signed in.' }));
    }
    const record = await this.kept.open(request, context);
    const fault = faultOf(record);
    if (fault) return this.screens.notOwn(fault, request, context);
    // The password was correct; the screen would only ask for it again.
    if (record.state === 'open' && record.isPending) {
      return redirect(secondStepUrl(challenge));
    }
    const carried = await this.carried.answer(request, context);
    if (carried) return carried;
    if (request.skip) return this.remembered.answer(request, context);
    return authorizationRequest?.hasPrompt('select_account') ? redirect(authorizationRequest.askingForLogin()) : null;
  }

  async #request(challenge: string): Promise<LoginRequest | ChallengeFault> {
    if (challenge === '') return 'missing';
    return this.hydra.getLogin(challenge).catch(challengeFault);
  }
}

function faultOf({ state }: ClaimState): ChallengeFault | null {
  if (state === 'done') return 'used';
  return state === 'foreign' || state === 'stepped' ? 'foreign' : null;
}
