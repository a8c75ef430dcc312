/**
 * The session that the OAuth server remembers, if it may continue: it belongs to this browser, this product has a record
 * of it, the account may sign in, and it was proven as strongly as this request, client and account require now (S-58).
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account/accounts.js';
import { BrowserSessions, type BrowserSession } from '../../accounts/sessions/browser-sessions.js';
import { Clock } from '../../config/clock.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { hasOwnMethod } from '../../contract/authentication.js';
import { AuthorizationRequest } from '../../hydra/authorization-request.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { nextStep } from '../../mfa/next-step.js';
import { SessionBinding } from './session-binding.js';
import { wantedOf } from './waiting-request.js';

export interface RememberedSession {
  account: Account;
  session: BrowserSession;
}

/**
 * `elsewhere`: the session does not belong to this browser. `ended`: the person has to sign in. `weak`: the person is
 * signed in, but has to prove more.
 */
export type FoundSession =
  | ({ state: 'usable' } & RememberedSession)
  | { state: 'weak'; account: Account }
  | { state: 'elsewhere' | 'ended' };

@Injectable()
export class RememberedSessions {
  constructor(
    private readonly sessions: BrowserSessions,
    private readonly binding: SessionBinding,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param request with `skip` */
  async find(request: LoginRequest, context: RequestContext): Promise<FoundSession> {
    const owned = await this.sessions.findOwned(request.sessionId, request.subject);
    if (!(await this.binding.isOwn(request, context, owned?.session ?? null))) return { state: 'elsewhere' };
    if (!owned?.session || owned.account.status !== 'active' || this.#isTooOld(owned.session, request)) return { state: 'ended' };
    const { account, session, factors } = owned;
    const wanted = wantedOf(request, account, this.config);
    const isProven = nextStep({ proven: session.amr, factors, wanted, isTrusted: session.isTrusted }) === 'accept';
    return isProven ? { state: 'usable', account, session } : { state: 'weak', account };
  }

  /** Hydra compares `max_age` with the time of the accepted login. A provider may have authenticated the person long before. */
  #isTooOld({ amr, providerAuthTime }: BrowserSession, request: LoginRequest): boolean {
    const maxAge = AuthorizationRequest.parse(request.requestUrl, this.config.hydra.publicUrl)?.maxAgeSeconds() ?? null;
    if (maxAge === null || hasOwnMethod(amr)) return false;
    return providerAuthTime === null || this.clock.now().getTime() - providerAuthTime.getTime() > maxAge * 1000;
  }
}
