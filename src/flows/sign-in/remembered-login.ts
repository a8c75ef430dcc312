/** A login request with a remembered session (`skip`): continue it, ask "is it you?", or require the password. */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/accounts.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Fault } from '../../gateway/http/faults.js';
import { redirect, type Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { AuthorizationRequest } from '../../hydra/authorization-request.js';
import { HydraPort, type LoginRequest, type Rejection } from '../../hydra/hydra.port.js';
import { ClosedBrowser } from './closed-browser.js';
import { FlowPages } from './flow-pages.js';
import { loginHintPage } from './login-hint.page.js';
import { RememberedSessions, type FoundSession, type RememberedSession } from './remembered-sessions.js';
import { SignIn } from './sign-in.js';

@Injectable()
export class RememberedLogin {
  constructor(
    private readonly hydra: HydraPort,
    private readonly sessions: RememberedSessions,
    private readonly closed: ClosedBrowser,
    private readonly signIn: SignIn,
    private readonly pages: FlowPages,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login'>,
  ) {}

  /** @param request with `skip` */
  find(request: LoginRequest, context: RequestContext): Promise<FoundSession> {
    return this.sessions.find(request, context);
  }

  /** Answers a request with `skip`. */
  async answer(request: LoginRequest, context: RequestContext): Promise<Outcome> {
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (!authorizationRequest) throw new Fault('unavailable', 'The request_url is not on the public origin of the upstream');
    const found = await this.find(request, context);
    if (authorizationRequest.hasPrompt('none')) return this.#answerSilently(request, found, context);
    const again = this.pages.withEnteredCode(authorizationRequest, context);
    if (found.state === 'elsewhere') return this.closed.leave(request, again, context);
    if (found.state !== 'usable' && again.isDevice) return this.closed.end(request, again);
    // A session is offered though the address asks for a login: Hydra has preferred the request object.
    const isOverruled = authorizationRequest.hasPrompt('login');
    if (found.state !== 'usable' || isOverruled) return this.#askForLogin(request, authorizationRequest);
    const { account, session } = found;
    const isAsked =
      this.#alwaysAsks(request) || namesAnother(request, account) || authorizationRequest.hasPrompt('select_account');
    if (!isAsked) return this.signIn.continueSession(request, session, context);
    return loginHintPage({
      request,
      account,
      xsrfToken: this.pages.xsrfToken(context),
      ticket: this.pages.ticket(request),
      otherAccountUrl: authorizationRequest.askingForLogin(),
      options: this.pages.pageOptions(request),
    });
  }

  /** "Yes, it is me": continues the session, in a request that the OAuth server will not reject afterwards. */
  async proceed(request: LoginRequest, { session }: RememberedSession, context: RequestContext): Promise<Outcome | null> {
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (authorizationRequest?.hasPrompt('select_account')) return redirect(authorizationRequest.withAccountSelected());
    return this.signIn.continueOnce(request, session, context);
  }

  /** `prompt=none`: what a person would be asked is not granted (OpenID Connect Core, section 3.1.2.6). */
  async #answerSilently(request: LoginRequest, found: FoundSession, context: RequestContext): Promise<Outcome> {
    const isSignedIn = 'account' in found && !namesAnother(request, found.account);
    if (isSignedIn && found.state === 'usable' && !this.#alwaysAsks(request)) {
      return this.signIn.continueSession(request, found.session, context);
    }
    const rejection: Rejection = isSignedIn
      ? { code: 'interaction_required', description: 'The person has to confirm the session or to prove more.' }
      : { code: 'login_required', description: 'Nobody is signed in in this browser, or not the named person.' };
    return redirect(await this.hydra.rejectLogin(request.challenge, rejection));
  }

  /** Hydra prefers the `prompt` of a request object that it has fetched: a second restart would go on for ever. */
  async #askForLogin({ challenge, requestUrl }: LoginRequest, authorizationRequest: AuthorizationRequest): Promise<Outcome> {
    const again = authorizationRequest.askingForLogin();
    if (again !== requestUrl) return redirect(again);
    const description = 'The request object does not let the person be asked to sign in again.';
    return redirect(await this.hydra.rejectLogin(challenge, { code: 'login_required', description }));
  }

  #alwaysAsks({ client }: LoginRequest): boolean {
    return client.foyer.confirmSession || this.config.login.confirmSessionClients.includes(client.id);
  }
}

function namesAnother({ loginHint }: LoginRequest, { username, email }: Account): boolean {
  const named = loginHint?.trim().toLowerCase();
  return named !== undefined && ![username, email].some((name) => name?.toLowerCase() === named);
}
