/**
 * Answers a login request with a session that Hydra remembers (`skip`): continues the session, asks "is it you?", or requires a new
 * sign-in. A session continues only if it belongs to this browser, Foyer has a record of it, the account may sign in, and the session was
 * proven as strongly as request, client and account require now (S-58).
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../../accounts/account/accounts.js';
import { SourceChecks } from '../../../accounts/identities/source-checks.js';
import type { QueryablePerson } from '../../../accounts/sessions/outdated-person.js';
import { BrowserSessions, type BrowserSession } from '../../../accounts/sessions/browser-sessions.js';
import { Clock } from '../../../config/clock.js';
import { CONFIG } from '../../../config/config.token.js';
import type { Config } from '../../../config/config.js';
import { hasOwnMethod, isMailOnly } from '../../../contract/authentication.js';
import { foldText } from '../../../contract/folded-text.js';
import { Fault } from '../../../gateway/http/faults.js';
import { redirect, type Outcome } from '../../../gateway/page/outcome.js';
import type { RequestContext } from '../../../gateway/http/request-context.js';
import type { AuthorizationRequest } from '../../../hydra/authorization-request.js';
import { HydraPort, type LoginRequest, type Rejection } from '../../../hydra/hydra.port.js';
import { Accept } from '../accept.js';
import { ClosedBrowser } from '../closed-browser.js';
import { Dispatch } from '../dispatch.js';
import { FlowPages } from '../flow-pages.js';
import { buildLoginHintPage } from '../login-hint.page.js';
import { SessionBinding } from '../session-binding.js';

/**
 * `elsewhere`: the session does not belong to this browser. `ended`: the person has to sign in. `weak`: the person is
 * signed in, but has to sign in again, to prove more or to complete a task. `outdatedPerson`: the person whose user source has to be
 * queried first; null if the stored data is new enough.
 */
export type FoundSession =
  | { state: 'usable'; account: Account; session: BrowserSession; outdatedPerson: QueryablePerson | null }
  | { state: 'weak'; account: Account }
  | { state: 'elsewhere' | 'ended' };

@Injectable()
export class RememberedSession {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly binding: SessionBinding,
    private readonly dispatch: Dispatch,
    private readonly pages: FlowPages,
    private readonly clock: Clock,
    private readonly checks: SourceChecks,
  ) {}

  /**
   * Queries the user source of the person first if the stored data about the person is too old (docs/token-hook.md).
   * @param request with `skip`
   */
  async find(request: LoginRequest, context: RequestContext): Promise<FoundSession> {
    const foundSession = await this.#find(request, context);
    if (foundSession.state !== 'usable' || foundSession.outdatedPerson === null) return foundSession;
    const check = await this.checks.check(foundSession.outdatedPerson, context.requestId);
    // The account is read again: the source may have reported other values, such as another name.
    if (check === 'current') return this.#find(request, context);
    return check === 'last-known' ? foundSession : { state: 'ended' };
  }

  async #find(request: LoginRequest, context: RequestContext): Promise<FoundSession> {
    const record = await this.sessions.findWithAccount(request.sessionId, request.subject);
    if (!(await this.binding.isOwn(request, context, record?.session ?? null))) return { state: 'elsewhere' };
    if (!record?.session || record.account.status !== 'active' || this.#isTooOld(record.session, request))
      return { state: 'ended' };
    const { account, session, factors, outdatedPerson } = record;
    // Hydra may offer a session although the address requires a login, because Hydra prefers the `prompt` of a request object.
    const mustSignIn = this.pages.authorizationRequest(request)?.hasPrompt('login') ?? true;
    const isEnough = !mustSignIn && this.dispatch.isEnough(request, { account, session, factors });
    return isEnough ? { state: 'usable', account, session, outdatedPerson } : { state: 'weak', account };
  }

  /**
   * Whether a provider authenticated the person longer ago than `max_age`, or at an unknown time. Hydra only looks at the time of the
   * accepted login.
   */
  #isTooOld({ amr, providerAuthTime }: BrowserSession, request: LoginRequest): boolean {
    const maxAge = this.pages.authorizationRequest(request)?.maxAgeSeconds() ?? null;
    if (maxAge === null || hasOwnMethod(amr) || isMailOnly(amr)) return false;
    return providerAuthTime === null || this.clock.now().getTime() - providerAuthTime.getTime() > maxAge * 1000;
  }
}

@Injectable()
export class RememberedLogin {
  constructor(
    private readonly hydra: HydraPort,
    private readonly rememberedSession: RememberedSession,
    private readonly closedBrowser: ClosedBrowser,
    private readonly acceptance: Accept,
    private readonly pages: FlowPages,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login'>,
  ) {}

  /** @param request with `skip` */
  async answer(request: LoginRequest, context: RequestContext): Promise<Outcome> {
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (!authorizationRequest)
      throw new Fault(
        'unavailable',
        'The request_url from Hydra does not belong to HYDRA_PUBLIC_URL; set HYDRA_PUBLIC_URL to the public address of Hydra',
      );
    const foundSession = await this.rememberedSession.find(request, context);
    if (authorizationRequest.hasPrompt('none')) return this.#answerSilently(request, foundSession, context);
    const restart = this.pages.addEnteredCode(authorizationRequest, context);
    if (foundSession.state === 'elsewhere') return this.closedBrowser.restart(request, restart, context);
    if (foundSession.state !== 'usable' && restart.isDevice) return this.closedBrowser.endSession(request, restart);
    if (foundSession.state !== 'usable') return this.#askForLogin(request, authorizationRequest);
    const { account, session } = foundSession;
    const mustConfirm =
      this.#alwaysAsks(request) || namesAnotherPerson(request, account) || authorizationRequest.hasPrompt('select_account');
    if (!mustConfirm) return this.acceptance.continueSession(request, session, context);
    return buildLoginHintPage({
      request,
      account,
      xsrfToken: this.pages.xsrfToken(context),
      ticket: this.pages.ticket(request),
      otherAccountUrl: authorizationRequest.withLoginPrompt(),
      options: this.pages.pageOptions(request),
    });
  }

  /** Answers `prompt=none`: a request that requires an interaction is rejected (OpenID Connect Core, section 3.1.2.6). */
  async #answerSilently(request: LoginRequest, foundSession: FoundSession, context: RequestContext): Promise<Outcome> {
    const isSignedIn = 'account' in foundSession && !namesAnotherPerson(request, foundSession.account);
    if (isSignedIn && foundSession.state === 'usable' && !this.#alwaysAsks(request)) {
      return this.acceptance.continueSession(request, foundSession.session, context);
    }
    const rejection: Rejection = isSignedIn
      ? {
          code: 'interaction_required',
          description: 'The person must confirm the session, give a stronger proof or complete a task.',
        }
      : {
          code: 'login_required',
          description: 'This browser has no session with which the request can be answered.',
        };
    return redirect(await this.hydra.rejectLogin(request.challenge, rejection));
  }

  /**
   * Starts the request again with `prompt=login`, but only once: Hydra may prefer the `prompt` of a request object, and the request would
   * restart forever.
   */
  async #askForLogin({ challenge, requestUrl }: LoginRequest, authorizationRequest: AuthorizationRequest): Promise<Outcome> {
    const restartUrl = authorizationRequest.withLoginPrompt();
    if (restartUrl !== requestUrl) return redirect(restartUrl);
    const description = 'The request object prevents a new sign-in.';
    return redirect(await this.hydra.rejectLogin(challenge, { code: 'login_required', description }));
  }

  #alwaysAsks({ client }: LoginRequest): boolean {
    return client.foyer.confirmSession || this.config.login.confirmSessionClients.includes(client.id);
  }
}

function namesAnotherPerson({ loginHint = '' }: LoginRequest, { username, email }: Account): boolean {
  const hint = loginHint.trim();
  return hint !== '' && foldText(hint) !== foldText(username) && hint.toLowerCase() !== email?.toLowerCase();
}
