/** A login request with a remembered session (`skip`): continue it, ask "is it you?", or require the password. */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/accounts.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Fault } from '../../gateway/http/faults.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { AuthorizationRequest } from '../../hydra/authorization-request.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { FlowPages } from './flow-pages.js';
import { loginHintPage } from './login-hint.page.js';
import { RememberedSessions } from './remembered-sessions.js';
import type { RememberedSession } from './remembered-sessions.js';
import { SignIn } from './sign-in.js';

@Injectable()
export class RememberedLogin {
  constructor(
    private readonly hydra: HydraPort,
    private readonly sessions: RememberedSessions,
    private readonly signIn: SignIn,
    private readonly pages: FlowPages,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login'>,
  ) {}

  /** @returns null if the person has to sign in */
  find(request: LoginRequest): Promise<RememberedSession | null> {
    return this.sessions.find(request);
  }

  /** Answers a request with `skip`. */
  async answer(request: LoginRequest, context: RequestContext): Promise<Outcome> {
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (!authorizationRequest) throw new Fault('unavailable', 'The request_url is not on the public origin of the upstream');
    const found = await this.find(request);
    if (!found) return this.#askForPassword(request, authorizationRequest);
    if (!authorizationRequest.hasPrompt('none') && this.#wantsAccountSelection(request, authorizationRequest, found.account)) {
      return loginHintPage({
        request,
        account: found.account,
        xsrfToken: this.pages.xsrfToken(context),
        ticket: this.pages.ticket(request),
        otherAccountUrl: authorizationRequest.askingForLogin(),
        options: this.pages.pageOptions(request),
      });
    }
    return this.signIn.continueSession(request, found.session, context);
  }

  /** "Yes, it is me": continues the session, in a request that the OAuth server will not reject afterwards. */
  async proceed(request: LoginRequest, { session }: RememberedSession, context: RequestContext): Promise<Outcome | null> {
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (authorizationRequest?.hasPrompt('select_account')) return redirect(authorizationRequest.withAccountSelected());
    return this.signIn.continueOnce(request, session, context);
  }

  async #askForPassword(request: LoginRequest, authorizationRequest: AuthorizationRequest): Promise<Outcome> {
    if (!authorizationRequest.hasPrompt('none')) return redirect(authorizationRequest.askingForLogin());
    return redirect(
      await this.hydra.rejectLogin(request.challenge, {
        code: 'login_required',
        description: 'The session has ended or is not proven as wanted.',
      }),
    );
  }

  #wantsAccountSelection(request: LoginRequest, authorizationRequest: AuthorizationRequest, account: Account): boolean {
    const named = request.loginHint?.trim().toLowerCase();
    const hintsAnotherAccount =
      named !== undefined && ![account.username, account.email].some((name) => name?.toLowerCase() === named);
    const always = request.client.foyer.confirmSession || this.config.login.confirmSessionClients.includes(request.client.id);
    return always || hintsAnotherAccount || authorizationRequest.hasPrompt('select_account');
  }
}
