/**
 * The end of a sign-in. Only this file accepts the login of a person at Hydra (the doctor accepts its own test logins). Before a new
 * login is accepted, its session is stored; a continued login already has a session. The answer to a sign-in is stored too, and repeated
 * after a double click. A request leads to at most one login, even with a double click, a second tab or another browser (LOG-14).
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/account.js';
import type { AuditEvent } from '../../accounts/audit/audit-log.js';
import { ConnectOffers, type ConnectOffer } from '../../accounts/identities/connect-offers.js';
import { BrowserSessions, type BrowserSession, type NewBrowserSession } from '../../accounts/sessions/browser-sessions.js';
import { FinishedSignIns, type FinishedSignIn } from '../../accounts/sessions/finished-sign-ins.js';
import { KnownDevices } from '../../accounts/sessions/known-devices.js';
import { TrustedBrowsers, type NewTrust } from '../../accounts/sessions/trusted-browsers.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import { hasFactorMethod } from '../../contract/authentication.js';
import { toPerson, type RequestContext } from '../../gateway/http/request-context.js';
import { redirect, type CookieChange, type RedirectOutcome } from '../../gateway/page/outcome.js';
import { HydraPort, type LoginRequest } from '../../hydra/hydra.port.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import { findHeldKinds } from '../../mfa/registry.js';
import { spellAcr, toAcr } from '../../mfa/policy.js';
import { writeAnswer } from './answers.js';
import { PasskeyOffer } from './passkey-offer.js';
import { SessionBinding } from './session-binding.js';
import { SignIns, type StepResult, type SignIn } from './sign-in.js';
import { chooseRefusalUrl } from './status-url.js';

/** A session with two factors lasts at most a day (docs/security.md D13). */
const MAX_WITH_FACTOR_SECONDS = 86_400;

/** A proof that is strong enough for the login, with what the browser sent. */
export interface AcceptableProof extends StepResult {
  /** Whether a trusted browser takes the place of the second factor. */
  isTrusted?: boolean | undefined;
  /** Present if the browser becomes a trusted browser: for how long, and the stamp of the account, which must not have changed since. */
  trusts?: Pick<NewTrust, 'lifetimeSeconds' | 'stamp'> | undefined;
}

/** Accepts and rejects logins at Hydra, with `acr`, `amr` and the lifetime of the session. */
@Injectable()
export class HydraLogin {
  constructor(
    private readonly hydra: HydraPort,
    private readonly revocations: RevocationRunner,
    private readonly binding: SessionBinding,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login' | 'mfa'>,
  ) {}

  /**
   * Hydra always remembers the session, so that a logout can end it and notify the apps.
   * @param session `hasRevocations`: the account has unfinished revocation jobs, which would end the new session too
   */
  async accept(
    request: LoginRequest,
    session: { accountId: string; subject: string; amr: readonly string[]; remembered: boolean; hasRevocations: boolean },
  ): Promise<string> {
    const { accountId, subject, amr, remembered, hasRevocations } = session;
    if (hasRevocations) await this.revocations.settleBeforeLogin(accountId);
    const acr = spellAcr(toAcr(amr), request.acrValues, this.config.mfa);
    const rememberForSeconds = this.chooseLifetimeSeconds(amr, remembered);
    return this.hydra.acceptLogin(request.challenge, { subject, acr, amr, remember: true, rememberForSeconds });
  }

  /** Rejects with the code of OpenID Connect Core Error Code unmet_authentication_requirements 1.0. @returns the URL to redirect to */
  async refuse({ challenge, requestUrl }: LoginRequest): Promise<string> {
    const description = 'The account has no proof that is strong enough for this request.';
    const rejection = { code: 'unmet_authentication_requirements', description } as const;
    return chooseRefusalUrl(requestUrl, await this.hydra.rejectLogin(challenge, rejection), 'unmet');
  }

  /** Rejects because the person does not want to go on. @returns the URL to redirect to */
  async decline({ challenge, requestUrl }: LoginRequest): Promise<string> {
    const rejection = { code: 'access_denied', description: 'The person did not accept the terms.' } as const;
    return chooseRefusalUrl(requestUrl, await this.hydra.rejectLogin(challenge, rejection), 'denied');
  }

  /** @param isRemembered whether the session outlives the browser */
  chooseLifetimeSeconds(amr: readonly string[], isRemembered: boolean): number {
    const { rememberForSeconds, sessionSeconds } = this.config.login;
    const seconds = isRemembered ? rememberForSeconds : sessionSeconds;
    return amr.includes('mfa') ? Math.min(seconds, MAX_WITH_FACTOR_SECONDS) : seconds;
  }

  /** Value of the cookie that binds the accepted session to the browser. */
  buildSessionCookie({ sessionId }: LoginRequest, accountId: string): string {
    return this.binding.toCookie({ sessionId, subject: accountId });
  }

  /** False with `REMEMBER=off`: then every session ends with the browser. */
  get mayRemember(): boolean {
    return this.config.login.remember !== 'off';
  }
}

/** The values of the cookies by which Foyer recognises a known device or a trusted browser later. */
@Injectable()
export class DeviceCookies {
  constructor(
    private readonly devices: KnownDevices,
    private readonly trustedBrowsers: TrustedBrowsers,
  ) {}

  /**
   * @returns the device id of the browser if it belongs to a known device, otherwise a new one: a planted id must not become a known device
   */
  async chooseDevice({ browser: { isOwnedDevice } }: StepResult, { device }: RequestContext): Promise<string> {
    const isOwned = device !== null && (isOwnedDevice ?? (await this.devices.isKnownToAnyone(device)));
    return isOwned ? device : randomToken();
  }

  /** The cookie keeps the secrets that this browser has for other accounts. */
  async buildTrustCookie(accountId: string, { secret, presentedSecrets, lifetimeSeconds }: NewTrust) {
    const otherSecrets = await this.trustedBrowsers.findOtherSecrets(accountId, presentedSecrets);
    return { secrets: [secret, ...otherSecrets], maxAgeSeconds: lifetimeSeconds };
  }
}

/** Stores the end of a sign-in, and then connects the identity that the proven account was offered. */
@Injectable()
export class SignInEnd {
  constructor(
    private readonly finishedSignIns: FinishedSignIns,
    private readonly offers: ConnectOffers,
  ) {}

  /** @returns false if another form was answered first */
  async store(finishedSignIn: FinishedSignIn, connectOffer: ConnectOffer | undefined): Promise<boolean> {
    const isFirst = await this.finishedSignIns.finish(finishedSignIn);
    if (isFirst && connectOffer) await this.offers.accept(connectOffer, finishedSignIn.accountId, finishedSignIn.auditContext);
    return isFirst;
  }
}

@Injectable()
export class Accept {
  constructor(
    private readonly login: HydraLogin,
    private readonly signIns: SignIns,
    private readonly sessions: BrowserSessions,
    private readonly end: SignInEnd,
    private readonly cookies: DeviceCookies,
    private readonly offer: PasskeyOffer,
  ) {}

  /**
   * @returns null if another form has been answered first
   * @throws ProofOutdated, or the error of Hydra if it does not accept the login
   */
  async accept(signIn: SignIn, acceptableProof: AcceptableProof, context: RequestContext): Promise<RedirectOutcome | null> {
    const { request } = signIn;
    const { account, amr } = acceptableProof.proof;
    // `begin` runs before the login is accepted at Hydra: it throws if the account was disabled or the credential replaced since the proof.
    const session = this.#buildSession(request, acceptableProof, context);
    const { subject, hasRevocations, remembered, isNew } = await this.sessions.begin(session);
    const isRemembered = remembered === true;
    const login = { accountId: account.id, subject, amr, remembered: isRemembered, hasRevocations };
    // Two clicks may both accept. Either answer of Hydra completes the login (docs/hydra-behaviour.md D.37 and D.41), and `finish` stores
    // one of them.
    const url = await this.login
      .accept(request, login)
      .catch((error: unknown) => this.#undoBegin(signIn, { ...session, isNew }, error));

    const device = await this.cookies.chooseDevice(acceptableProof, context);
    const trust = toTrust(acceptableProof, context);
    const outcome = redirect(url, {
      ...this.#buildSessionCookies(request, { account, amr, isRemembered, browser: session.browser }),
      device,
      ...(trust ? { trusted: await this.cookies.buildTrustCookie(account.id, trust) } : {}),
    });
    const answer = await this.offer.insertOffer(outcome, { request, stepResult: acceptableProof }, context);
    const isFirst = await this.end.store(
      {
        id: signIn.id,
        browser: context.browser,
        answer: writeAnswer(answer, context),
        newBrowser: session.browser,
        accountId: account.id,
        clientId: request.client.id,
        amr,
        manageSession: context.manageSession,
        device: !acceptableProof.browser.isDeviceStored && isOwnProof(amr) ? device : null,
        trust,
        isTrusted: acceptableProof.isTrusted === true && !hasFactorMethod(amr),
        userAgent: context.userAgent,
        auditContext: toPerson(context),
      },
      toConnectOffer(signIn, acceptableProof),
    );
    return isFirst ? answer : this.#joinFirst(signIn, { cookies: answer.cookies, isNew }, context);
  }

  /** Creates the new id of the browser after a first factor. The cookie with the id lasts as long as the newest session of the browser. */
  async createBrowserId({ browser }: RequestContext): Promise<{ id: string; maxAgeSeconds?: number }> {
    const maxAgeSeconds = await this.sessions.findRememberedSeconds(browser);
    return { id: randomToken(), ...(maxAgeSeconds === null ? {} : { maxAgeSeconds }) };
  }

  /**
   * Refuses a request because the account has no proof that is strong enough.
   * @param account for the event `unmet`; null if the refusal is in the audit log already
   * @returns null if another form has been answered first
   */
  async refuse(signIn: SignIn, account: Account | null, context: RequestContext): Promise<RedirectOutcome | null> {
    const event = account && toRefusal(signIn.request, { account, reason: 'unmet' }, context);
    return this.signIns.answer(signIn, { outcome: redirect(await this.login.refuse(signIn.request)), event }, context);
  }

  /** Refuses a request because the person does not accept the terms. @returns null if another form has been answered first */
  async decline(signIn: SignIn, account: Account, context: RequestContext): Promise<RedirectOutcome | null> {
    const event = toRefusal(signIn.request, { account, reason: 'declined' }, context);
    return this.signIns.answer(signIn, { outcome: redirect(await this.login.decline(signIn.request)), event }, context);
  }

  /** Continues a session without a question (LOG-10). Hydra stores neither acr nor amr, so they come from the session record of Foyer. */
  async continueSession(request: LoginRequest, session: BrowserSession, context: RequestContext): Promise<RedirectOutcome> {
    const outcome = await this.#acceptAgain(request, session);
    await this.sessions.recordContinuation(session, toContinuation(request, session, context));
    return outcome;
  }

  /**
   * Continues a session after the person has confirmed it. A double click continues it once.
   * @returns null if another form has been answered first
   */
  async continueOnce(signIn: SignIn, session: BrowserSession, context: RequestContext): Promise<RedirectOutcome | null> {
    const outcome = await this.#acceptAgain(signIn.request, session);
    const event = toContinuation(signIn.request, session, context);
    const answer = await this.signIns.answer(signIn, { outcome, event }, context);
    if (answer) await this.sessions.recordContinuation(session, null);
    return answer;
  }

  #buildSession(
    { sessionId, client }: LoginRequest,
    { proof, browser, isTrusted = false }: AcceptableProof,
    context: RequestContext,
  ): NewBrowserSession {
    const { account, amr, credential, provider } = proof;
    const previousSession = { browser: context.browser, lifetimeSeconds: this.login.chooseLifetimeSeconds(amr, true) };
    return {
      // A new id at every sign-in prevents session fixation.
      browser: randomToken(),
      accountId: account.id,
      upstreamSessionId: sessionId,
      acr: toAcr(amr),
      amr,
      remembered: browser.remember,
      lifetimeSeconds: this.login.chooseLifetimeSeconds(amr, browser.remember),
      previousSession: this.login.mayRemember ? previousSession : undefined,
      ...credential,
      provider: provider?.id,
      providerAuthTime: provider?.authTime,
      isTrusted: isTrusted && !hasFactorMethod(amr),
      requestInfo: { clientId: client.id, address: context.address, userAgent: context.userAgent },
    };
  }

  /**
   * Undoes `begin` after an error of Hydra, so that the form can be sent again. A new session ends, because no browser gets its id; a
   * session that existed before goes back to the browser of the sign-in. Rethrows the error.
   */
  async #undoBegin(
    { id }: SignIn,
    { browser, remembered, isNew }: NewBrowserSession & { isNew: boolean },
    error: unknown,
  ): Promise<never> {
    if (isNew) await this.sessions.discard(browser);
    else {
      if (remembered) await this.sessions.endWithBrowser(browser);
      await this.sessions.moveToSignIn(browser, id);
    }
    throw error;
  }

  #buildSessionCookies(
    request: LoginRequest,
    session: { account: { id: string }; amr: readonly string[]; isRemembered: boolean; browser: string },
  ) {
    const lifetime = session.isRemembered ? { maxAgeSeconds: this.login.chooseLifetimeSeconds(session.amr, true) } : {};
    const value = this.login.buildSessionCookie(request, session.account.id);
    return { browser: { id: session.browser, ...lifetime }, browserSession: { value, ...lifetime } };
  }

  /**
   * Answers a form after another form. The browser gets only the id in the first answer, so the session moves to that id. If the first
   * answer signed in another person or nobody, the session does not move: a new session ends, because no browser has its id, and a session
   * that existed before keeps its id until it expires.
   */
  async #joinFirst(
    { id, challenge }: SignIn,
    { cookies: { browser, browserSession }, isNew }: { cookies: CookieChange; isNew: boolean },
    context: RequestContext,
  ): Promise<RedirectOutcome | null> {
    const { answer, isSameSession } = await this.signIns.findFirstAnswer(challenge, browserSession, context);
    if (browser && isSameSession) await this.sessions.moveToSignIn(browser.id, id);
    else if (browser && isNew) await this.sessions.discard(browser.id);
    return answer;
  }

  async #acceptAgain(request: LoginRequest, { amr, accountId, remembered }: BrowserSession): Promise<RedirectOutcome> {
    const subject = request.upstreamSubject ?? accountId;
    const session = { accountId, subject, amr, remembered: remembered !== false, hasRevocations: false };
    return redirect(await this.login.accept(request, session));
  }
}

/**
 * Whether the first factor was a password, a passkey or a mailed code (see `ProvenCode`), not a provider or a registration service.
 * Without this check, an attacker could make any number of devices known through a provider.
 */
function isOwnProof(amr: readonly string[]): boolean {
  return amr.includes('pwd') || !amr.includes('fed');
}

/** As for a new passkey, an account with a factor or a passkey must have proven one (decision 0054); a trusted browser is not enough. */
function toConnectOffer({ challenge }: SignIn, { proof: { amr, factors }, browser }: AcceptableProof): ConnectOffer | undefined {
  const { connectOffer: secret } = browser;
  const isEnough = hasFactorMethod(amr) || (amr.includes('pwd') && findHeldKinds(factors).length === 0);
  if (secret === undefined || !isEnough) return undefined;
  return { secret, challenge };
}

/** The secret is always new, because a secret that the browser presents may be planted. */
function toTrust(
  { trusts }: AcceptableProof,
  { trustedBrowserSecrets: presentedSecrets, userAgent }: RequestContext,
): NewTrust | null {
  return trusts ? { ...trusts, secret: randomToken(), presentedSecrets, userAgent } : null;
}

function toContinuation({ client }: LoginRequest, { accountId, amr }: BrowserSession, context: RequestContext) {
  const detail = { client: client.id, amr: [...amr] };
  return { ...toPerson(context), kind: 'sign-in.continued', accountId, detail } as const satisfies AuditEvent;
}

function toRefusal({ client }: LoginRequest, { account, reason }: { account: Account; reason: string }, context: RequestContext) {
  const detail = { client: client.id, reason };
  return { ...toPerson(context), kind: 'sign-in.refused', accountId: account.id, detail } as const satisfies AuditEvent;
}
