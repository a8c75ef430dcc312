/**
 * Logout: the question, its two answers and the result page. Anyone who holds an ID token can start a logout of its
 * subject in any browser (docs/hydra-behaviour.md, part G). A logout requested by a client is therefore performed only
 * in a browser with a session of that person; other browsers are redirected to Hydra's own logout, which is
 * bound to Hydra's session cookie.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Accounts, type Account } from '../../accounts/account/accounts.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { randomToken } from '../../config/keys.js';
import { FIELDS } from '../../contract/form-fields.js';
import { PATHS } from '../../contract/paths.js';
import { Challenge } from '../../gateway/http/form-fields.decorators.js';
import { redirect, type Outcome, type PageOptions } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { findReturnUrl } from '../../hydra/client-links.js';
import { ChallengeUnknown, ChallengeUsed } from '../../hydra/hydra.errors.js';
import { HydraPort, type LogoutRequest } from '../../hydra/hydra.port.js';
import { buildUpstreamLogoutUrl } from '../../hydra/upstream-url.js';
import { FlowPages, toLookOptions } from '../sign-in/flow-pages.js';
import { LogoutResults, type LogoutResult } from './logout-results.js';
import { buildLocalQuestionPage, buildQuestionPage, buildNobodyPage, buildResultPage } from './logout.page.js';
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
    private readonly results: LogoutResults,
    private readonly pages: FlowPages,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * `GET /logout`: asks the person, unless the client is trusted and the session belongs to this browser (OUT-5), or the person has
   * already confirmed the logout.
   */
  async start(challenge: string, context: RequestContext): Promise<Outcome> {
    const request = await this.#findRequest(challenge);
    if (request === 'unknown') return this.#showUnknownChallenge(context);
    if (request === 'used') return this.showResult(context);
    const isOwn = await this.signOut.isOwn(request, context);
    const result = this.results.read(context);
    const isConfirmed = result?.kind === 'confirmed' && result.subject === request.subject;
    if (!isOwn && !request.rpInitiated && isConfirmed) return this.#redirectToHydra(request);
    if (isOwn && request.rpInitiated && request.client?.skipLogoutConsent === true) return this.#logOut(request, context);
    return buildQuestionPage({
      request,
      // Other browsers do not show the name.
      account: isOwn ? await this.accounts.find(request.subject) : null,
      xsrfToken: this.pages.xsrfToken(context),
      options: this.#toPageOptions(request),
    });
  }

  /** `POST /logout/accept`: the person wants to log out. */
  async accept(challenge: string, context: RequestContext): Promise<Outcome> {
    const account = challenge === '' ? await this.#findSignedInAccount(context) : null;
    if (account) return this.#logOutHere(account, context);
    const request = await this.#findRequest(challenge);
    if (request === 'unknown') return this.#showFailure(context);
    if (request === 'used') return redirect(PATHS.logoutCallback);
    if (await this.signOut.isOwn(request, context)) return this.#logOut(request, context);
    return this.#redirectToHydra(request);
  }

  /**
   * Hydra performs the logout only in the browser that has Hydra's cookie of the session. No session ends here; only a carried
   * proof of this browser is dropped.
   */
  async #redirectToHydra({ challenge, subject, rpInitiated, returnTo }: LogoutRequest): Promise<Outcome> {
    if (!rpInitiated) return redirect(await this.hydra.acceptLogout(challenge), { carried: null });
    const result: LogoutResult = { kind: 'confirmed', subject, ...defined({ returnTo }) };
    return redirect(buildUpstreamLogoutUrl(this.config.hydra), { logout: this.results.write(result), carried: null });
  }

  /** `POST /logout/reject`: the person stays signed in. */
  async reject(challenge: string, context: RequestContext): Promise<Outcome> {
    if (challenge === '' && (await this.signOut.findManageAccountId(context)) !== null) return redirect(PATHS.manage);
    if (challenge === '' && (await this.signOut.findAccountId(context)) !== null) return this.#redirectToRejection();
    const request = await this.#findRequest(challenge);
    if (request === 'unknown') return this.#showFailure(context);
    if (request === 'used') return redirect(PATHS.logoutCallback);
    // Only the browser of the session rejects the request: a rejection elsewhere would keep the person from logging out (S-15b).
    if (await this.signOut.isOwn(request, context)) await this.hydra.rejectLogout(challenge);
    return this.#redirectToRejection();
  }

  /**
   * `GET /logout/callback`: Hydra redirects here after a logout, and also if it has no session; anybody can open the address.
   * If a person is still signed in in this browser, the page asks whether to log out.
   */
  async showResult(context: RequestContext): Promise<Outcome> {
    const account = await this.#findSignedInAccount(context);
    const xsrfToken = this.pages.xsrfToken(context);
    if (account) return buildLocalQuestionPage(account, xsrfToken);
    const result = this.results.read(context);
    const isDone =
      result?.kind === 'ended' || (result?.kind === 'accepted' && (await this.#findRequest(result.challenge)) === 'used');
    if (result?.kind === 'confirmed' && result.returnTo !== undefined) return redirect(result.returnTo, { logout: null });
    if (!isDone) return buildNobodyPage('accepted', xsrfToken, PATHS.logoutCallback);
    return buildResultPage({ status: 'accepted', apps_notified: result.notified }, xsrfToken, { self: PATHS.logoutCallback });
  }

  /** `GET /logout/reject`: the result of a rejected logout. */
  async showRejection(context: RequestContext): Promise<Outcome> {
    if (this.results.read(context)?.kind !== 'rejected') return this.showResult(context);
    const xsrfToken = this.pages.xsrfToken(context);
    const isSignedIn = (await this.signOut.findAccountId(context)) !== null;
    return isSignedIn
      ? buildResultPage({ status: 'rejected' }, xsrfToken, {})
      : buildNobodyPage('rejected', xsrfToken, PATHS.logoutReject);
  }

  async #findSignedInAccount(context: RequestContext): Promise<Account | null> {
    const id = await this.signOut.findAccountId(context);
    return id === null ? null : this.accounts.find(id);
  }

  async #logOutHere({ id: subject }: Account, context: RequestContext): Promise<Outcome> {
    const id = randomToken();
    const notified = await this.signOut.end({ subject }, id, context);
    return this.#redirectAfterLogout(PATHS.logoutCallback, id, { kind: 'ended', notified });
  }

  async #logOut({ challenge, subject, sessionId, client }: LogoutRequest, context: RequestContext): Promise<Outcome> {
    const url = await this.hydra.acceptLogout(challenge);
    const id = randomToken();
    const notified = await this.signOut.end({ subject, upstreamSessionId: sessionId, clientId: client?.id }, id, context);
    return this.#redirectAfterLogout(url, id, { kind: 'accepted', challenge, notified });
  }

  #redirectAfterLogout(url: string, id: string, result: LogoutResult): Outcome {
    const logout = this.results.write(result);
    return redirect(url, { browser: { id }, manageSession: null, browserSession: null, carried: null, logout });
  }

  #redirectToRejection(): Outcome {
    return redirect(PATHS.logoutReject, { logout: this.results.write({ kind: 'rejected' }) });
  }

  async #findRequest(challenge: string): Promise<LogoutRequest | 'unknown' | 'used'> {
    if (challenge === '') return 'unknown';
    return this.hydra.getLogout(challenge).catch((error: unknown) => {
      if (error instanceof ChallengeUnknown) return 'unknown';
      if (error instanceof ChallengeUsed) return 'used';
      throw error;
    });
  }

  #showUnknownChallenge(context: RequestContext): Outcome {
    return buildResultPage({ status: 'pending' }, this.pages.xsrfToken(context), { status: 400, self: PATHS.logout });
  }

  #showFailure(context: RequestContext): Outcome {
    return buildResultPage({ status: 'failed' }, this.pages.xsrfToken(context), { status: 400, self: PATHS.logout });
  }

  #toPageOptions({ client }: LogoutRequest): PageOptions {
    const url = client && findReturnUrl(client, undefined, this.config.app.returnOrigins);
    return { ...toLookOptions(client), ...(client && url !== undefined ? { returnTo: { url, name: client.name } } : {}) };
  }
}
