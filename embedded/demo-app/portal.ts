/**
 * The routes of the demo app, except those of the television and of static files. `relying-party.ts` speaks the protocol, `pages/`
 * renders. Everything works without script. Only a POST or a redirect of the protocol begins or ends a session.
 */
import type { SiteRequest } from '../site/read-request.js';
import { json, page, redirect, type Reply } from '../site/reply.js';
import type { Routes } from '../site/route-table.js';
import { isSiteLanguage } from '../site/language.js';
import { LogoutTokens } from './logout-token.js';
import { buildHomePage, type SiteUrls } from './pages/home.page.js';
import { buildErrorPage, buildNoticePage, buildSiteErrorPage } from './pages/notice.page.js';
import { buildPrivacyPage } from './pages/privacy.page.js';
import { buildSessionPage } from './pages/signed-in.page.js';
import type { PortalCookies } from './portal-cookies.js';
import { IssuerUnreachable } from './protocol-errors.js';
import type { RelyingParty } from './relying-party.js';
import { readSignInOptions } from './sign-in-options.js';
import { findTryUrl } from './tries.js';
import { createId, type Session, type PortalSessions, type PendingSignIn } from './portal-sessions.js';

const MANAGE_PATH = '/manage';
/** The account area would refuse a token that expires during the redirect. */
const EXPIRY_MARGIN_MS = 30_000;

export class Portal {
  readonly #logoutTokens: LogoutTokens;

  constructor(
    private readonly relyingParty: RelyingParty,
    private readonly sessions: PortalSessions,
    private readonly cookies: PortalCookies,
    private readonly urls: SiteUrls,
  ) {
    this.#logoutTokens = new LogoutTokens(relyingParty);
  }

  routes(): Routes {
    return {
      'GET /': (request) => this.#showHome(request),
      'GET /language': (request) => this.#chooseLanguage(request),
      'GET /privacy': (request) => page(buildPrivacyPage(this.cookies.readLanguage(request))),
      'GET /try/:name': (request) => this.#redirectToTry(request),
      'GET /sign-in': (request) => this.#guard(request, () => this.#signIn(request)),
      'GET /callback': (request) => this.#guard(request, () => this.#receiveCallback(request)),
      'GET /account': (request) => this.#guard(request, () => this.#openManagePage(request)),
      'POST /refresh': (request) => this.#runInSession(request, (session) => this.#refresh(session)),
      'POST /userinfo': (request) => this.#runInSession(request, (session) => this.#fetchUserinfo(session)),
      'POST /sign-out': (request) => this.#runInSession(request, (session) => this.#signOut(session)),
      'GET /signed-out': (request) => this.#finishSignOut(request),
      'POST /backchannel-logout': (request) => this.#endSessions(request),
    };
  }

  #showHome(request: SiteRequest): Reply {
    const language = this.cookies.readLanguage(request);
    const session = this.#findSession(request);
    return page(session ? buildSessionPage(language, session, this.urls.mailboxUrl) : buildHomePage(language, this.urls));
  }

  #chooseLanguage(request: SiteRequest): Reply {
    const { searchParams } = request.url;
    const language = searchParams.get('to');
    return redirect(
      searchParams.get('back') === '/tv' ? '/tv' : '/',
      isSiteLanguage(language) ? [this.cookies.writeLanguage(language)] : [],
    );
  }

  #redirectToTry(request: SiteRequest): Reply {
    const { gatewayUrl } = this.urls;
    const url = findTryUrl(request.params['name'], { signedIn: this.#findSession(request) !== null, gatewayUrl });
    return url === null ? page(buildSiteErrorPage(this.cookies.readLanguage(request), 404), 404) : redirect(url);
  }

  async #signIn(request: SiteRequest): Promise<Reply> {
    const { scope, options } = readSignInOptions(request.url.searchParams, this.cookies.readChosenLanguage(request));
    const { url, attempt } = await this.relyingParty.begin(scope, options);
    const browser = this.cookies.readBrowser(request) ?? createId();
    const target = request.url.searchParams.get('to') === 'account' ? '/account' : '/';
    this.sessions.keepSignIn({ browser, attempt, nextPath: target });
    return redirect(url.href, [this.cookies.writeBrowser(browser)]);
  }

  async #receiveCallback(request: SiteRequest): Promise<Reply> {
    const answer = request.url.searchParams;
    const signIn = this.sessions.findSignIn(answer.get('state') ?? '', this.cookies.readBrowser(request));
    if (!signIn) {
      if (answer.has('error'))
        return this.#showRefusal(request, answer.get('error') ?? '', answer.get('error_description') ?? '');
      return this.#findSession(request) ? redirect('/') : this.#showStale(request);
    }
    const session = await this.#finishOnce(signIn, answer, this.#findSession(request));
    if (!this.sessions.find(session.id)) return this.#showStale(request);
    return redirect(signIn.nextPath, [this.cookies.writeSession(session.id)]);
  }

  /**
   * The code is redeemed once, even if the browser sends it twice. A callback after `IssuerUnreachable` sends the code
   * again, because the issuer may not have received it.
   */
  #finishOnce(signIn: PendingSignIn, answer: URLSearchParams, previousSession: Session | null): Promise<Session> {
    signIn.result ??= this.#finish(signIn, answer, previousSession).catch((error: unknown) => {
      if (error instanceof IssuerUnreachable) delete signIn.result;
      throw error;
    });
    return signIn.result;
  }

  async #finish({ attempt }: PendingSignIn, answer: URLSearchParams, previousSession: Session | null): Promise<Session> {
    const callback = new URL(`${this.relyingParty.settings.baseUrl}/callback?${answer.toString()}`);
    const tokens = await this.relyingParty.finish(callback, attempt);
    const userinfo = await this.relyingParty.fetchUserinfo(tokens).catch(() => null);
    if (previousSession) this.sessions.end(previousSession.id);
    return this.sessions.begin(tokens, userinfo);
  }

  /** The account area receives an access token in its address and removes it from the address at once. */
  async #openManagePage(request: SiteRequest): Promise<Reply> {
    const session = this.#findSession(request);
    if (!session) return this.#showNotSignedIn(request);
    if (isExpiring(session) && session.tokens.refreshToken !== undefined) await this.#refresh(session);
    const url = new URL(MANAGE_PATH, this.urls.gatewayUrl);
    url.searchParams.set('t', session.tokens.accessToken);
    url.searchParams.set('return_to_url', `${this.relyingParty.settings.baseUrl}/`);
    return redirect(url.href);
  }

  /**
   * One refresh at a time: a refresh token that is used twice is treated as stolen, and the issuer revokes the grant
   * (RFC 9700, section 4.14.2).
   */
  async #refresh(session: Session): Promise<Reply> {
    session.renewal ??= this.relyingParty.refresh(session.tokens).finally(() => delete session.renewal);
    session.tokens = await session.renewal;
    return redirect('/#access');
  }

  async #fetchUserinfo(session: Session): Promise<Reply> {
    session.userinfo = await this.relyingParty.fetchUserinfo(session.tokens);
    return redirect('/#userinfo');
  }

  /**
   * Does not end the session, because a person who answers "no" at Foyer is still signed in to this app. The return from the issuer
   * or a back-channel logout ends it.
   */
  async #signOut(session: Session): Promise<Reply> {
    const state = createId();
    const url = await this.relyingParty.buildEndSessionUrl(session.tokens, state);
    session.logoutState = state;
    return redirect(url.href);
  }

  #finishSignOut(request: SiteRequest): Reply {
    const session = this.#findSession(request);
    const state = request.url.searchParams.get('state');
    // Without the state, any page could sign the person out with a link.
    if (session && (state === null || session.logoutState !== state)) return redirect('/');
    if (session) this.sessions.end(session.id);
    const reply = page(buildNoticePage(this.cookies.readLanguage(request), 'signedOut'));
    return { ...reply, headers: { ...reply.headers, 'set-cookie': this.cookies.clearSession() } };
  }

  async #endSessions(request: SiteRequest): Promise<Reply> {
    try {
      const token = new URLSearchParams(request.body).get('logout_token') ?? '';
      this.sessions.endMatching(await this.#logoutTokens.verify(token));
      return { status: 200, headers: { 'cache-control': 'no-store' }, body: '' };
    } catch {
      return json({ error: 'invalid_request', error_description: 'The logout token could not be verified.' }, 400);
    }
  }

  #findSession(request: SiteRequest): Session | null {
    return this.sessions.find(this.cookies.readSession(request));
  }

  #runInSession(request: SiteRequest, act: (session: Session) => Promise<Reply>): Promise<Reply> | Reply {
    const session = this.#findSession(request);
    return session ? this.#guard(request, () => act(session)) : this.#showNotSignedIn(request);
  }

  /** Errors between this app and the issuer become a page with an explanation. */
  async #guard(request: SiteRequest, act: () => Promise<Reply>): Promise<Reply> {
    try {
      return await act();
    } catch (error) {
      const explanation = buildErrorPage(this.cookies.readLanguage(request), error, {
        signedIn: this.#findSession(request) !== null,
      });
      if (!explanation) throw error;
      return page(explanation.content, explanation.status);
    }
  }

  #showRefusal(request: SiteRequest, code: string, description: string): Reply {
    const language = this.cookies.readLanguage(request);
    return page(buildNoticePage(language, 'refused', { code, description, signedIn: this.#findSession(request) !== null }), 400);
  }

  #showNotSignedIn(request: SiteRequest): Reply {
    return page(buildNoticePage(this.cookies.readLanguage(request), 'notSignedIn'), 400);
  }

  #showStale(request: SiteRequest): Reply {
    return page(buildNoticePage(this.cookies.readLanguage(request), 'stale'), 400);
  }
}

function isExpiring({ tokens: { expiresAt } }: Session): boolean {
  return expiresAt !== undefined && expiresAt < Date.now() + EXPIRY_MARGIN_MS;
}
