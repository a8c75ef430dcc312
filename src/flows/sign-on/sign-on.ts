/**
 * The end of every way of signing in: the only place that accepts a login at the upstream. It keeps the record of the
 * challenge, so that a double click, a second tab and another browser end in one login at most (LOG-14).
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/accounts.js';
import { BrowserSessions } from '../../accounts/browser-sessions.js';
import type { BrowserSession } from '../../accounts/browser-sessions.js';
import { ChallengeRecords } from '../../accounts/challenge-records.js';
import type { ClaimState } from '../../accounts/challenge-records.js';
import { KnownDevices } from '../../accounts/known-devices.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { randomToken } from '../../config/keys.js';
import { redirect } from '../../gateway/outcome.js';
import type { CookieChange, RedirectOutcome } from '../../gateway/outcome.js';
import type { Visit } from '../../gateway/visit.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';

/** How somebody proved who they are. Every way of proving it ends in this value (style.md, point 6). */
export interface ProvenIdentity {
  account: Account;
  acr: string;
  amr: readonly string[];
  remember: boolean;
  /** This browser's device is already known for the account, and freshly so. */
  isKnownDevice: boolean;
}

/** What is sealed in the record of a finished challenge: the very same answer, for the other click. */
interface FinishedLogin {
  url: string;
  cookies: CookieChange;
}

/** Without "stay signed in" nothing outlives a working day. */
const UNREMEMBERED_SECONDS = 12 * 3600;
const CHALLENGE_SECONDS = 24 * 3600;

@Injectable()
export class SignOn {
  constructor(
    private readonly hydra: HydraPort,
    private readonly records: ChallengeRecords,
    private readonly sessions: BrowserSessions,
    private readonly devices: KnownDevices,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login'>,
  ) {}

  /** For a GET: looks and writes nothing. */
  peek(challenge: string, visit: Visit): Promise<ClaimState> {
    return this.records.peek({ kind: 'login', challenge, browser: visit.browser });
  }

  /** For a POST, before anything is proven: the first browser that posts owns the challenge. */
  claim(challenge: string, visit: Visit): Promise<ClaimState> {
    return this.records.claim({ kind: 'login', challenge, browser: visit.browser }, CHALLENGE_SECONDS);
  }

  /** The answer that the same browser got a moment ago (double click). */
  repeat(result: string): RedirectOutcome {
    const finished = JSON.parse(result) as FinishedLogin;
    return redirect(finished.url, finished.cookies);
  }

  async complete(request: LoginRequest, identity: ProvenIdentity, visit: Visit): Promise<RedirectOutcome> {
    const { rememberForSeconds } = this.config.login;
    const { account, acr, amr, remember } = identity;
    // A new id at every sign-in: whoever planted or saw the old one has nothing (session fixation).
    const browser = { id: randomToken(), ...(remember ? { maxAgeSeconds: rememberForSeconds } : {}) };
    const device = visit.device ?? randomToken();
    // First, because it refuses an account that was disabled at this very moment.
    await this.sessions.begin({
      browser: browser.id,
      accountId: account.id,
      upstreamSessionId: request.sessionId,
      acr,
      amr,
      lifetimeSeconds: remember ? rememberForSeconds : UNREMEMBERED_SECONDS,
    });
    const url = await this.hydra.acceptLogin(request.challenge, { subject: account.id, acr, amr, remember, rememberForSeconds });
    const own = JSON.stringify({ url, cookies: { browser, device } } satisfies FinishedLogin);
    const owner = { kind: 'login', challenge: request.challenge, browser: visit.browser } as const;
    const result = await this.records.finish(owner, own);
    if (result !== own) return this.#joinFirst(result, browser.id);
    await this.sessions.move(visit.browser, browser.id);
    if (!identity.isKnownDevice) await this.devices.remember(device, account.id);
    return this.repeat(result);
  }

  /** The first click's answer counts for both, so what the second one began goes to the browser id of the first. */
  async #joinFirst(result: string, ownBrowser: string): Promise<RedirectOutcome> {
    const first = this.repeat(result);
    if (first.cookies.browser) await this.sessions.move(ownBrowser, first.cookies.browser.id);
    return first;
  }

  /**
   * The skip twin (LOG-10): the upstream has a session and asks only to be told so. Hydra keeps neither acr nor amr, so
   * the own record of that session says them again, truthfully.
   */
  async goOn(request: LoginRequest, session: BrowserSession): Promise<RedirectOutcome> {
    const { acr, amr, accountId: subject } = session;
    const { rememberForSeconds } = this.config.login;
    return redirect(await this.hydra.acceptLogin(request.challenge, { subject, acr, amr, remember: true, rememberForSeconds }));
  }

  /** The same, after a click: it counts once. */
  async goOnOnce(request: LoginRequest, session: BrowserSession, visit: Visit): Promise<RedirectOutcome> {
    const { url, cookies } = await this.goOn(request, session);
    const owner = { kind: 'login', challenge: request.challenge, browser: visit.browser } as const;
    return this.repeat(await this.records.finish(owner, JSON.stringify({ url, cookies } satisfies FinishedLogin)));
  }
}
