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
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { nextStep } from '../../mfa/next-step.js';
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
    @Inject(CONFIG) private readonly config: Pick<Config, 'mfa'>,
  ) {}

  /** @returns null if the person has to sign in */
  async find(request: LoginRequest): Promise<RememberedSession | null> {
    if (!request.skip) return null;
    const account = await this.accounts.find(request.subject);
    if (account?.status !== 'active') return null;
    const session = await this.sessions.findByUpstreamSession(request.sessionId, account.id);
    if (!session) return null;
    const factors = await this.factors.status(account.id);
    const wanted = wantedOf(request, account, this.config.mfa);
    return nextStep({ proven: session.amr, factors, wanted }) === 'accept' ? { account, session } : null;
  }
}
