/**
 * The end of every way of signing in: it alone calls `LoginAcceptance`, which accepts a login at the OAuth server. It keeps
 * the record of the challenge, so that a double click, a second tab and another browser end in one login at most (LOG-14).
 */
import { Injectable } from '@nestjs/common';
import type { AuditEvent } from '../../accounts/audit/audit-log.js';
import { BrowserSessions, type BrowserSession, type NewBrowserSession } from '../../accounts/sessions/browser-sessions.js';
import { ChallengeRecords, type ClaimState } from '../../accounts/sessions/challenge-records.js';
import { FinishedSignIns } from '../../accounts/sessions/finished-sign-ins.js';
import { KnownDevices } from '../../accounts/sessions/known-devices.js';
import type { NewTrust } from '../../accounts/sessions/trusted-browsers.js';
import { randomToken } from '../../config/keys.js';
import { hasFactorMethod } from '../../contract/authentication.js';
import { redirect, type RedirectOutcome } from '../../gateway/page/outcome.js';
import { personOf, type RequestContext } from '../../gateway/http/request-context.js';
import { ChallengeExpired, ChallengeUnknown } from '../../hydra/hydra.errors.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { acrOf } from '../../mfa/policy.js';
import { CarriedProof } from './carried-proof.js';
import { CHALLENGE_SECONDS, finishOnce, loginOwner, readAnswer, writeAnswer } from './finished-answer.js';
import { LoginAcceptance } from './login-acceptance.js';
import type { ProvenIdentity } from './proven-identity.js';

@Injectable()
export class SignIn {
  constructor(
    private readonly acceptance: LoginAcceptance,
    private readonly records: ChallengeRecords,
    private readonly sessions: BrowserSessions,
    private readonly devices: KnownDevices,
    private readonly finished: FinishedSignIns,
    private readonly carried: CarriedProof,
  ) {}

  /** Writes nothing. */
  peek(challenge: string, context: RequestContext): Promise<ClaimState> {
    return this.records.peek(loginOwner(challenge, context));
  }

  /** The first browser that opens the challenge owns it. */
  claim(challenge: string, context: RequestContext): Promise<ClaimState> {
    return this.records.claim(loginOwner(challenge, context), CHALLENGE_SECONDS);
  }

  /** @returns the answer to the same form a moment ago (double click); null for any other form */
  repeat(result: string | null, context: RequestContext): RedirectOutcome | null {
    return readAnswer(result, context);
  }

  /** @returns null if another form has answered the challenge meanwhile */
  async complete(request: LoginRequest, identity: ProvenIdentity, context: RequestContext): Promise<RedirectOutcome | null> {
    const url = this.carried.restartUrl(request, context);
    return url === null
      ? this.accept(request, identity, context)
      : this.carried.restartProven({ url, request }, identity, context);
  }

  /** Like `complete`, for a request that is known to be the newest of its client. */
  async accept(request: LoginRequest, identity: ProvenIdentity, context: RequestContext): Promise<RedirectOutcome | null> {
    const { account, amr } = identity;
    const device = await this.#device(identity, context);
    // Must come first: it refuses an account that was disabled or got another password meanwhile.
    const {
      browser: id,
      subject,
      hasRevocations,
      remembered,
    } = identity.begun ?? (await this.#begin(request, identity, context));
    const isRemembered = remembered === true;
    const accepted = { accountId: account.id, subject, amr, remembered: isRemembered, hasRevocations };
    const url = await this.acceptance.accept(request, accepted).catch((error: unknown) => this.#notAccepted(request, error));
    const lifetime = isRemembered ? { maxAgeSeconds: this.acceptance.lifetimeSeconds(amr, true) } : {};
    const browser = { id, ...lifetime };
    const browserSession = { value: this.acceptance.sessionCookie(request, account.id), ...lifetime };
    const trust = trustOf(identity, context);
    const trusted = trust && {
      secrets: [trust.secret, ...(await this.finished.trustOfOthers(account.id, trust.presented))],
      maxAgeSeconds: trust.lifetimeSeconds,
    };
    const { manageSession } = context;
    const { result, isOwn } = await this.finished.finish({
      owner: loginOwner(request.challenge, context),
      result: writeAnswer(redirect(url, { browser, browserSession, device, ...(trusted ? { trusted } : {}) }), context),
      newBrowser: id,
      accountId: account.id,
      clientId: request.client.id,
      amr,
      manageSession,
      device: !identity.isKnownDevice && isOwnProof(amr) ? device : null,
      trust,
      isTrusted: identity.isTrusted === true && !hasFactorMethod(amr),
      userAgent: context.userAgent,
      by: personOf(context),
    });
    const answer = readAnswer(result, context);
    return isOwn ? answer : this.#joinFirst(answer, id);
  }

  /** The challenge expired while the form was open: there is no session of it, and nobody signs in by it any more. */
  async #notAccepted({ sessionId }: LoginRequest, error: unknown): Promise<never> {
    const isOver = error instanceof ChallengeExpired || error instanceof ChallengeUnknown;
    if (isOver && sessionId !== '') await this.sessions.endForUpstreamSession(sessionId);
    throw error;
  }

  /**
   * The session of an accepted login, to begin together with a proof.
   * @returns null if the request starts again instead
   */
  sessionOf(request: LoginRequest, identity: ProvenIdentity, context: RequestContext): NewBrowserSession | null {
    return this.carried.restartUrl(request, context) === null ? this.#newSession(request, identity, context) : null;
  }

  async #begin(request: LoginRequest, identity: ProvenIdentity, context: RequestContext) {
    const session = this.#newSession(request, identity, context);
    return { browser: session.browser, ...(await this.sessions.begin(session)) };
  }

  /**
   * The account cannot reach the class that the request names. The client is told, as OpenID Connect Core Error Code
   * unmet_authentication_requirements 1.0 has it. @returns null if another form has answered the challenge meanwhile
   */
  async refuse(request: LoginRequest, context: RequestContext): Promise<RedirectOutcome | null> {
    return this.#finish({ request, event: null }, redirect(await this.acceptance.refuse(request)), context);
  }

  #newSession(
    { sessionId: upstreamSessionId, client }: LoginRequest,
    { account, amr, remember, passwordVersion, securityStamp, ...proof }: ProvenIdentity,
    context: RequestContext,
  ): NewBrowserSession {
    const { acceptance } = this;
    const keeps = { browser: context.browser, lifetimeSeconds: acceptance.lifetimeSeconds(amr, true) };
    return {
      // A new id at every sign-in prevents session fixation.
      browser: randomToken(),
      accountId: account.id,
      upstreamSessionId,
      acr: acrOf(amr),
      amr,
      remembered: remember,
      lifetimeSeconds: acceptance.lifetimeSeconds(amr, remember),
      ...(acceptance.mayRemember ? { keeps } : {}),
      passwordVersion,
      securityStamp,
      provider: proof.provider,
      providerAuthTime: proof.providerAuthTime,
      seen: { clientId: client.id, address: context.address, userAgent: context.userAgent },
    };
  }

  /** The answer to the first click counts for both, so the second session moves to the browser id of the first. */
  async #joinFirst(first: RedirectOutcome | null, ownBrowser: string): Promise<RedirectOutcome | null> {
    if (first?.cookies.browser) await this.sessions.move(ownBrowser, first.cookies.browser.id);
    return first;
  }

  /** A new id, unless it is already known for an account: a planted id must not become a known device. */
  async #device({ isOwnedDevice }: ProvenIdentity, { device }: RequestContext): Promise<string> {
    const isOwned = device !== null && (isOwnedDevice ?? (await this.devices.isKnownToAnyone(device)));
    return isOwned ? device : randomToken();
  }

  /**
   * Continues a remembered session (LOG-10). Hydra stores neither acr nor amr, so the own record of the session
   * supplies them.
   */
  async continueSession(request: LoginRequest, session: BrowserSession, context: RequestContext): Promise<RedirectOutcome> {
    const outcome = await this.#acceptAgain(request, session);
    await this.sessions.recordContinuation(session, continuation(request, session, context));
    return outcome;
  }

  /** The same after a click; counts once. @returns null if another form has answered the challenge meanwhile */
  async continueOnce(request: LoginRequest, session: BrowserSession, context: RequestContext): Promise<RedirectOutcome | null> {
    const restart = this.carried.restartUrl(request, context);
    if (restart !== null) return this.carried.restartConfirmed({ url: restart, request }, session, context);
    const event = continuation(request, session, context);
    const outcome = await this.#finish({ request, event }, await this.#acceptAgain(request, session), context);
    if (outcome) await this.sessions.recordContinuation(session, null);
    return outcome;
  }

  #finish(
    { request, event }: { request: LoginRequest; event: AuditEvent | null },
    outcome: RedirectOutcome,
    context: RequestContext,
  ): Promise<RedirectOutcome | null> {
    return finishOnce({ records: this.records, owner: loginOwner(request.challenge, context), event }, outcome, context);
  }

  async #acceptAgain(request: LoginRequest, { amr, accountId, remembered }: BrowserSession): Promise<RedirectOutcome> {
    const subject = request.upstreamSubject ?? accountId;
    return redirect(await this.acceptance.accept(request, { accountId, subject, amr, remembered: remembered !== false }));
  }
}

/** Of the person's own password or passkey: through a provider anybody could make any number of devices known. */
function isOwnProof(amr: readonly string[]): boolean {
  return amr.includes('pwd') || !amr.includes('fed');
}

/** A new secret each time: one that the browser presents may be planted. */
function trustOf({ trusts }: ProvenIdentity, { trusted: presented, userAgent }: RequestContext): NewTrust | null {
  return trusts ? { ...trusts, secret: randomToken(), presented, userAgent } : null;
}

function continuation({ client }: LoginRequest, { accountId, amr }: BrowserSession, context: RequestContext) {
  const detail = { client: client.id, amr: [...amr] };
  return { ...personOf(context), kind: 'sign-in.continued', accountId, detail } as const satisfies AuditEvent;
}
