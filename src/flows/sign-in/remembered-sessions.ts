/**
 * The session that the OAuth server remembers, if it may continue: this product has a record of it, the account may
 * sign in, and it was proven as strongly as this request, client and account require now (S-58).
 */
import { Inject, Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import type { Account } from '../../accounts/account/accounts.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import type { BrowserSession } from '../../accounts/sessions/browser-sessions.js';
import { Factors } from '../../mfa/factors.js';
import { Clock } from '../../config/clock.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { hasOwnMethod } from '../../contract/authentication.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { nextStep } from '../../mfa/next-step.js';
import { FlowPages } from './flow-pages.js';
import { wantedOf } from './waiting-request.js';

export interface RememberedSession {
  account: Account;
  session: BrowserSession;
}

@Injectable()
export class RememberedSessions {
  constructor(
    private readonly accounts: Accounts,
    private readonly sessions: BrowserSessions,
    private readonly factors: Factors,
    private readonly pages: FlowPages,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @returns null if the person has to sign in */
  async find(request: LoginRequest): Promise<RememberedSession | null> {
    if (!request.skip) return null;
    const account = await this.accounts.find(request.subject);
    if (account?.status !== 'active') return null;
    const session = await this.sessions.findByUpstreamSession(request.sessionId, account.id);
    if (!session || this.#isTooOld(session, request)) return null;
    const factors = await this.factors.status(account.id);
    const wanted = wantedOf(request, account, this.config);
    return nextStep({ proven: session.amr, factors, wanted }) === 'accept' ? { account, session } : null;
  }

  /** Hydra compares `max_age` with the time of the accepted login. A provider may have authenticated the person long before. */
  #isTooOld({ amr, providerAuthTime }: BrowserSession, request: LoginRequest): boolean {
    const maxAge = this.pages.authorizationRequest(request)?.maxAgeSeconds() ?? null;
    if (maxAge === null || hasOwnMethod(amr)) return false;
    return providerAuthTime === null || this.clock.now().getTime() - providerAuthTime.getTime() > maxAge * 1000;
  }
}
