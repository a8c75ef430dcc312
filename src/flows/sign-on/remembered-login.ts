/**
 * When the upstream remembers a session (`skip`): go on with it, ask "is it you?", or ask for the password after all. A
 * session counts only while this product has its own record of it, so that ending sessions here ends them everywhere.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/accounts.js';
import type { Account } from '../../accounts/accounts.js';
import { BrowserSessions } from '../../accounts/browser-sessions.js';
import type { BrowserSession } from '../../accounts/browser-sessions.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Fault } from '../../gateway/faults.js';
import { redirect } from '../../gateway/outcome.js';
import type { Outcome } from '../../gateway/outcome.js';
import type { Visit } from '../../gateway/visit.js';
import type { AuthorizationRequest } from '../../hydra/authorization-request.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { FlowEdge } from './flow-edge.js';
import { loginHintPage } from './login-hint.page.js';
import { SignOn } from './sign-on.js';

export interface RememberedSession {
  account: Account;
  session: BrowserSession;
}

@Injectable()
export class RememberedLogin {
  constructor(
    private readonly hydra: HydraPort,
    private readonly accounts: Accounts,
    private readonly sessions: BrowserSessions,
    private readonly signOn: SignOn,
    private readonly edge: FlowEdge,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login'>,
  ) {}

  /** @returns null when the account may not sign in, or the session was ended here */
  async find(request: LoginRequest): Promise<RememberedSession | null> {
    if (!request.skip) return null;
    const account = await this.accounts.find(request.subject);
    if (account?.status !== 'active') return null;
    const session = await this.sessions.findByUpstreamSession(request.sessionId, account.id);
    return session && { account, session };
  }

  /** Answers a request with `skip`. */
  async answer(request: LoginRequest, visit: Visit): Promise<Outcome> {
    const asked = this.edge.asked(request);
    if (!asked) throw new Fault('unavailable', 'The request_url is not on the public origin of the upstream');
    const found = await this.find(request);
    if (!found) return this.#askForPassword(request, asked);
    if (!asked.hasPrompt('none') && this.#wantsChoice(request, asked, found.account)) {
      return loginHintPage({
        request,
        account: found.account,
        xsrfToken: this.edge.xsrfToken(visit),
        ticket: this.edge.ticket(request),
        otherAccountUrl: asked.askingForLogin(),
        options: this.edge.pageOptions(request),
      });
    }
    return this.signOn.goOn(request, found.session);
  }

  /** "Yes, it is me": the session goes on, in a request that the upstream will not refuse afterwards. */
  async proceed(request: LoginRequest, { session }: RememberedSession, visit: Visit): Promise<Outcome | null> {
    const asked = this.edge.asked(request);
    if (asked?.hasPrompt('select_account')) return redirect(asked.withAccountSelected());
    return this.signOn.goOnOnce(request, session, visit);
  }

  async #askForPassword(request: LoginRequest, asked: AuthorizationRequest): Promise<Outcome> {
    if (!asked.hasPrompt('none')) return redirect(asked.askingForLogin());
    return redirect(
      await this.hydra.rejectLogin(request.challenge, { code: 'login_required', description: 'The session has ended.' }),
    );
  }

  #wantsChoice(request: LoginRequest, asked: AuthorizationRequest, account: Account): boolean {
    const named = request.loginHint?.trim().toLowerCase();
    const namesAnother = named !== undefined && ![account.username, account.email].some((name) => name?.toLowerCase() === named);
    const always = request.client.foyer.confirmSession || this.config.login.confirmSessionClients.includes(request.client.id);
    return always || namesAnother || asked.hasPrompt('select_account');
  }
}
