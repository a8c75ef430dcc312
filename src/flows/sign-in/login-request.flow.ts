/** `GET /login`: the login screen, or a redirect if a session is remembered (LOG-10) or no screen is wanted (LOG-11). */
import { Injectable } from '@nestjs/common';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import type { ChallengeFault } from '../../contract/page-state.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { FlowPages } from './flow-pages.js';
import { RememberedLogin } from './remembered-login.js';
import { SignIn } from './sign-in.js';
import { challengeFault } from './waiting-request.js';
import { LoginScreens } from './login-screens.js';
import type { TypedLogin } from './login-screens.js';

/** A login request that needs a person to sign in. */
export interface OpenLoginRequest {
  request: LoginRequest;
  /** Return ticket of the request. */
  ticket: string;
  /** A signed-in person must prove their identity again. */
  requiresReauthentication: boolean;
}

@Injectable()
export class LoginRequestFlow {
  constructor(
    private readonly hydra: HydraPort,
    private readonly signIn: SignIn,
    private readonly remembered: RememberedLogin,
    private readonly pages: FlowPages,
    private readonly screens: LoginScreens,
  ) {}

  async start(challenge: string, context: RequestContext): Promise<Outcome> {
    const openRequest = await this.open(challenge, context);
    return 'instead' in openRequest ? openRequest.instead : this.screens.login(openRequest.request, context);
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

  /** For all ways of signing in. Writes nothing. */
  async open(challenge: string, context: RequestContext): Promise<OpenLoginRequest | { instead: Outcome }> {
    const request = await this.#request(challenge);
    if (typeof request === 'string') return { instead: this.screens.broken(request, { challenge }, context) };
    const instead = await this.#instead(request, context);
    if (instead) return { instead };
    return {
      request,
      ticket: this.pages.ticket(request),
      requiresReauthentication: this.pages.authorizationRequest(request)?.hasPrompt('login') ?? false,
    };
  }

  async #instead(request: LoginRequest, context: RequestContext): Promise<Outcome | null> {
    const { challenge } = request;
    const record = await this.signIn.peek(challenge, context);
    const fault = faultOf(record.state);
    if (fault) return this.screens.broken(fault, { challenge, ticket: this.pages.ticket(request) }, context);
    // The password was correct; the screen would only ask for it again.
    if (record.state === 'open' && record.isPending) {
      return redirect(`${PATHS.mfaVerify}?${FIELDS.loginChallenge}=${encodeURIComponent(challenge)}`);
    }
    if (request.skip) return this.remembered.answer(request, context);
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (authorizationRequest?.hasPrompt('none')) {
      return redirect(await this.hydra.rejectLogin(challenge, { code: 'login_required', description: 'Nobody is signed in.' }));
    }
    return authorizationRequest?.hasPrompt('select_account') ? redirect(authorizationRequest.askingForLogin()) : null;
  }

  async #request(challenge: string): Promise<LoginRequest | ChallengeFault> {
    if (challenge === '') return 'missing';
    return this.hydra.getLogin(challenge).catch(challengeFault);
  }
}

function faultOf(state: Awaited<ReturnType<SignIn['peek']>>['state']): ChallengeFault | null {
  if (state === 'done') return 'used';
  return state === 'foreign' || state === 'stepped' ? 'foreign' : null;
}
