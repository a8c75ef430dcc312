/**
 * The end of every way of signing in: it alone calls `LoginAcceptance`, which accepts a login at the OAuth server. It keeps
 * the record of the challenge, so that a double click, a second tab and another browser end in one login at most (LOG-14).
 */
import { Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/accounts.js';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import type { BrowserSession } from '../../accounts/sessions/browser-sessions.js';
import { ChallengeRecords } from '../../accounts/sessions/challenge-records.js';
import type { ClaimState } from '../../accounts/sessions/challenge-records.js';
import { KnownDevices } from '../../accounts/sessions/known-devices.js';
import { randomToken } from '../../config/keys.js';
import { redirect } from '../../gateway/page/outcome.js';
import type { RedirectOutcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { acrOf } from '../../mfa/policy.js';
import { readAnswer, writeAnswer } from './finished-answer.js';
import { LoginAcceptance } from './login-acceptance.js';

/** How a person was proven. Every way of signing in ends in this value (docs/architecture.md). */
export interface ProvenIdentity {
  account: Account;
  /** All methods proven for this request; `acr` follows from them. */
  amr: readonly string[];
  remember: boolean;
  /** The device of this browser is known for the account and not due for renewal. */
  isKnownDevice: boolean;
  /** Of the password, if one was proven: it must not have been replaced since. */
  passwordVersion?: string | undefined;
  /** Of the account, if another proof was used; see `account/security-stamp.ts`. */
  securityStamp?: string | undefined;
  /** The provider that identified the person, if any. */
  provider?: string | undefined;
}

/** Without "stay signed in" a session lasts at most a working day. */
const UNREMEMBERED_SECONDS = 12 * 3600;
const CHALLENGE_SECONDS = 24 * 3600;

@Injectable()
export class SignIn {
  constructor(
    private readonly acceptance: LoginAcceptance,
    private readonly records: ChallengeRecords,
    private readonly sessions: BrowserSessions,
    private readonly devices: KnownDevices,
    private readonly manageSessions: ManageSessionRecords,
  ) {}

  /** For a GET; writes nothing. */
  peek(challenge: string, context: RequestContext): Promise<ClaimState> {
    return this.records.peek({ kind: 'login', challenge, browser: context.browser });
  }

  /** For a POST, before the proof: the first browser that posts owns the challenge. */
  claim(challenge: string, context: RequestContext): Promise<ClaimState> {
    return this.records.claim({ kind: 'login', challenge, browser: context.browser }, CHALLENGE_SECONDS);
  }

  /** @returns the answer to the same form a moment ago (double click); null for any other form */
  repeat(result: string | null, context: RequestContext): RedirectOutcome | null {
    return readAnswer(result, context.form ?? '');
  }

  /** @returns null if another form has answered the challenge meanwhile */
  async complete(request: LoginRequest, identity: ProvenIdentity, context: RequestContext): Promise<RedirectOutcome | null> {
    const { account, amr, remember } = identity;
    const rememberForSeconds = this.acceptance.rememberForSeconds(amr);
    // A new id at every sign-in prevents session fixation.
    const browser = { id: randomToken(), ...(remember ? { maxAgeSeconds: rememberForSeconds } : {}) };
    const device = await this.#device(context);
    // Must come first: it refuses an account that was disabled or got another password meanwhile.
    const { hasRevocations } = await this.sessions.begin({
      browser: browser.id,
      accountId: account.id,
      upstreamSessionId: request.sessionId,
      acr: acrOf(amr),
      amr,
      lifetimeSeconds: remember ? rememberForSeconds : UNREMEMBERED_SECONDS,
      passwordVersion: identity.passwordVersion,
      securityStamp: identity.securityStamp,
      provider: identity.provider,
    });
    const url = await this.acceptance.accept(request, { subject: account.id, amr, remember, hasRevocations });
    const own = writeAnswer(redirect(url, { browser, device }), context.form ?? '');
    const owner = { kind: 'login', challenge: request.challenge, browser: context.browser } as const;
    const result = await this.records.finish(owner, own);
    if (result !== own) return this.#joinFirst(result, browser.id, context);
    const finished = { from: context, newBrowser: browser.id, accountId: account.id, clientId: request.client.id, amr };
    await this.sessions.recordSignIn(finished);
    await this.manageSessions.afterSignIn({ accountId: account.id, from: context, newBrowser: browser.id });
    if (!identity.isKnownDevice && amr.includes('pwd')) await this.devices.remember(device, account.id);
    return this.repeat(result, context);
  }

  /** The answer to the first click counts for both, so the second session moves to the browser id of the first. */
  async #joinFirst(result: string, ownBrowser: string, context: RequestContext): Promise<RedirectOutcome | null> {
    const first = this.repeat(result, context);
    if (first?.cookies.browser) await this.sessions.move(ownBrowser, first.cookies.browser.id);
    return first;
  }

  /** A new id, unless it is already known for an account: a planted id must not become a known device. */
  async #device({ device }: RequestContext): Promise<string> {
    return device !== null && (await this.devices.isKnownToAnyone(device)) ? device : randomToken();
  }

  /**
   * Continues a remembered session (LOG-10). Hydra stores neither acr nor amr, so the own record of the session
   * supplies them.
   */
  async continueSession(request: LoginRequest, session: BrowserSession, context: RequestContext): Promise<RedirectOutcome> {
    const outcome = await this.#acceptAgain(request, session);
    await this.#noteContinued(request, session, context);
    return outcome;
  }

  /** The same after a click; counts once. @returns null if another form has answered the challenge meanwhile */
  async continueOnce(request: LoginRequest, session: BrowserSession, context: RequestContext): Promise<RedirectOutcome | null> {
    const own = writeAnswer(await this.#acceptAgain(request, session), context.form ?? '');
    const owner = { kind: 'login', challenge: request.challenge, browser: context.browser } as const;
    const result = await this.records.finish(owner, own);
    if (result === own) await this.#noteContinued(request, session, context);
    return this.repeat(result, context);
  }

  async #acceptAgain(request: LoginRequest, { amr, accountId: subject }: BrowserSession): Promise<RedirectOutcome> {
    return redirect(await this.acceptance.accept(request, { subject, amr, remember: true }));
  }

  async #noteContinued({ client }: LoginRequest, session: BrowserSession, { address, requestId }: RequestContext): Promise<void> {
    await this.sessions.recordContinuation(session, client.id, { actor: 'person', address, requestId });
  }
}
