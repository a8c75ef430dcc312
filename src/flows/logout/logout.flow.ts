/**
 * Logout: the question, its two answers and the result page. Anyone who holds an ID token can start a logout of its
 * subject in any browser (docs/hydra-behaviour.md, part G). A logout requested by a client is therefore performed only
 * in a browser with a session of that person; other browsers are redirected to the OAuth server's own logout, which is
 * bound to the browser.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import type { Account } from '../../accounts/account/accounts.js';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { Challenge } from '../../gateway/http/form-fields.decorators.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { returnUrl } from '../../hydra/client-links.js';
import { ChallengeUnknown, ChallengeUsed } from '../../hydra/hydra.errors.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import type { LogoutRequest } from '../../hydra/hydra.port.js';
import { upstreamLogoutUrl } from '../../hydra/upstream-logout.js';
import { FlowPages } from '../sign-in/flow-pages.js';
import { localQuestionPage, logoutQuestionPage, logoutResultPage } from './logout.page.js';
import { SignOut } from './sign-out.js';

export class LogoutForm {
  @Challenge()
  [FIELDS.logoutChallenge] = '';
}

@Injectable()
export class LogoutFlow {
  constructor(
    private readonly hydra: HydraPort,
    private readonly accounts: Accounts,
    private readonly signOut: SignOut,
    private readonly manageSessions: ManageSessionRecords,
    private readonly pages: FlowPages,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** `GET /logout`: the question; no question if the client is trusted and the session belongs to this browser (OUT-5). */
  async start(challenge: string, context: RequestContext): Promise<Outcome> {
    const request = await this.#request(challenge);
    if (request === 'unknown') return this.#unknown(context);
    if (request === 'used') return this.callback(context);
    const mayPass = request.rpInitiated && request.client?.skipLogoutConsent === true;
    if (mayPass && (await this.signOut.isOwn(request.subject, context))) return this.#logOut(request, context);
    return logoutQuestionPage({
      request,
      account: await this.accounts.find(request.subject),
      xsrfToken: this.pages.xsrfToken(context),
      options: this.#options(request),
    });
  }

  /** `POST /logout/accept` */
  async accept(challenge: string, context: RequestContext): Promise<Outcome> {
    const account = challenge === '' ? await this.#accountOfManageSession(context) : null;
    if (account) return this.#logOutHere(account, context);
    const request = await this.#request(challenge);
    if (request === 'unknown') return this.#failed(context);
    if (request === 'used') return redirect(PATHS.logoutCallback);
    if (request.rpInitiated && !(await this.signOut.isOwn(request.subject, context))) {
      return redirect(upstreamLogoutUrl(this.config.hydra));
    }
    return this.#logOut(request, context);
  }

  /** `POST /logout/reject`: the person stays signed in. */
  async reject(challenge: string, context: RequestContext): Promise<Outcome> {
    if (challenge === '' && (await this.#accountOfManageSession(context))) return redirect(PATHS.manage);
    const request = await this.#request(challenge);
    if (request === 'unknown') return this.#failed(context);
    if (request === 'used') return redirect(PATHS.logoutCallback);
    await this.hydra.rejectLogout(challenge);
    return redirect(PATHS.logoutReject);
  }

  /**
   * `GET /logout/callback`: the OAuth server redirects here after a logout, and also if it knows no session. If the
   * account area is still open in this browser, the page asks whether to log out of it.
   */
  async callback(context: RequestContext): Promise<Outcome> {
    const account = await this.#accountOfManageSession(context);
    if (account) return localQuestionPage(account, this.pages.xsrfToken(context));
    return logoutResultPage('accepted', this.pages.xsrfToken(context), { self: PATHS.logoutCallback });
  }

  /** `GET /logout/reject`: the result of a rejected logout. */
  rejected(context: RequestContext): Outcome {
    return logoutResultPage('rejected', this.pages.xsrfToken(context), {});
  }

  async #accountOfManageSession({ session }: RequestContext): Promise<Account | null> {
    const open = session === null ? null : await this.manageSessions.findByCookie(session);
    return open && this.accounts.find(open.accountId);
  }

  async #logOutHere({ id: subject }: Account, context: RequestContext): Promise<Outcome> {
    await this.signOut.end({ subject }, context);
    return redirect(PATHS.logoutCallback, { browser: { id: randomToken() }, session: null });
  }

  async #logOut(request: LogoutRequest, context: RequestContext): Promise<Outcome> {
    const url = await this.hydra.acceptLogout(request.challenge);
    const { subject, sessionId: upstreamSessionId, client } = request;
    await this.signOut.end({ subject, upstreamSessionId, clientId: client?.id }, context);
    return redirect(url, { browser: { id: randomToken() }, session: null });
  }

  async #request(challenge: string): Promise<LogoutRequest | 'unknown' | 'used'> {
    if (challenge === '') return 'unknown';
    return this.hydra.getLogout(challenge).catch((error: unknown) => {
      if (error instanceof ChallengeUnknown) return 'unknown';
      if (error instanceof ChallengeUsed) return 'used';
      throw error;
    });
  }

  #unknown(context: RequestContext): Outcome {
    return logoutResultPage('pending', this.pages.xsrfToken(context), { status: 400, self: PATHS.logout });
  }

  #failed(context: RequestContext): Outcome {
    return logoutResultPage('failed', this.pages.xsrfToken(context), { status: 400, self: PATHS.logout });
  }

  #options({ client }: LogoutRequest): { returnTo?: { url: string; name: string } } {
    const url = client && returnUrl(client, undefined, this.config.app.returnOrigins);
    return client && url !== undefined ? { returnTo: { url, name: client.name } } : {};
  }
}
