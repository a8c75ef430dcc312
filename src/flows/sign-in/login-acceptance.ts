/**
 * Accepts a login at the OAuth server with acr and amr. Pending revocation jobs run first: later they would end the new
 * session too.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { HydraPort, type LoginRequest, type UpstreamRedirect } from '../../hydra/hydra.port.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import { acrFor, acrOf } from '../../mfa/policy.js';
import { SessionBinding } from './session-binding.js';
import { refusedUrl } from './status-url.js';

/** After two factors, both are required again after a day (docs/security.md D13). */
const LONGEST_WITH_FACTOR_SECONDS = 86_400;

interface Accepted {
  accountId: string;
  /** What the OAuth server knows the account by. */
  subject: string;
  amr: readonly string[];
  /** The session outlives the browser. */
  remembered: boolean;
  /** From `BrowserSessions.begin`. */
  hasRevocations?: boolean;
}

@Injectable()
export class LoginAcceptance {
  constructor(
    private readonly hydra: HydraPort,
    private readonly upstream: RevocationRunner,
    private readonly binding: SessionBinding,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login' | 'mfa'>,
  ) {}

  /** The session is always kept there, so that a logout can end it and apps are told. */
  async accept(
    request: LoginRequest,
    { accountId, subject, amr, remembered, hasRevocations = false }: Accepted,
  ): Promise<UpstreamRedirect> {
    if (hasRevocations) await this.upstream.settleBeforeLogin(accountId);
    const acr = acrFor(acrOf(amr), request.acrValues, this.config.mfa);
    const rememberForSeconds = this.lifetimeSeconds(amr, remembered);
    return this.hydra.acceptLogin(request.challenge, { subject, acr, amr, remember: true, rememberForSeconds });
  }

  /** Value of the cookie that binds the accepted session to the browser. */
  sessionCookie({ sessionId }: LoginRequest, subject: string): string {
    return this.binding.cookieOf({ sessionId, subject });
  }

  /** @returns where the person goes next */
  async refuse({ challenge, requestUrl }: LoginRequest): Promise<string> {
    const description = 'This account cannot sign in as acr_values asks.';
    const rejection = { code: 'unmet_authentication_requirements', description } as const;
    return refusedUrl(requestUrl, await this.hydra.rejectLogin(challenge, rejection), 'unmet');
  }

  /** Of a session that outlives the browser, or of one that ends with it. */
  lifetimeSeconds(amr: readonly string[], remembered: boolean): number {
    const { rememberForSeconds, sessionSeconds } = this.config.login;
    const seconds = remembered ? rememberForSeconds : sessionSeconds;
    return amr.includes('mfa') ? Math.min(seconds, LONGEST_WITH_FACTOR_SECONDS) : seconds;
  }

  /** With `REMEMBER=off` nobody stays signed in. */
  get mayRemember(): boolean {
    return this.config.login.remember !== 'off';
  }
}
