/**
 * Accepts a login at the upstream, and says with it how it was proven. What has ended here but not yet there ends first:
 * done later, it would take the new session with it.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import type { LoginRequest, UpstreamRedirect } from '../../hydra/hydra.port.js';
import { Revocations } from '../../hydra/revocations.js';
import { acrFor, acrOf } from '../../mfa/policy.js';

/** Two factors are asked again after a day (security decision D13). */
const LONGEST_WITH_FACTOR_SECONDS = 86_400;

interface Accepted {
  subject: string;
  amr: readonly string[];
  remember: boolean;
  /** As `BrowserSessions.begin` found it. */
  hasRevocations?: boolean;
}

@Injectable()
export class LoginAcceptance {
  constructor(
    private readonly hydra: HydraPort,
    private readonly upstream: Revocations,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login' | 'mfa'>,
  ) {}

  async accept(request: LoginRequest, { subject, amr, remember, hasRevocations = false }: Accepted): Promise<UpstreamRedirect> {
    if (hasRevocations) await this.upstream.settle(subject);
    const acr = acrFor(acrOf(amr), request.acrValues, this.config.mfa);
    const rememberForSeconds = this.rememberForSeconds(amr);
    return this.hydra.acceptLogin(request.challenge, { subject, acr, amr, remember, rememberForSeconds });
  }

  rememberForSeconds(amr: readonly string[]): number {
    const { rememberForSeconds } = this.config.login;
    return amr.includes('mfa') ? Math.min(rememberForSeconds, LONGEST_WITH_FACTOR_SECONDS) : rememberForSeconds;
  }
}
