/**
 * Accepts a login at the OAuth server with acr and amr. Pending revocation jobs run first: later they would end the new
 * session too.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import type { LoginRequest, UpstreamRedirect } from '../../hydra/hydra.port.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import { acrFor, acrOf } from '../../mfa/policy.js';

/** After two factors, both are required again after a day (docs/security.md D13). */
const LONGEST_WITH_FACTOR_SECONDS = 86_400;

interface Accepted {
  subject: string;
  amr: readonly string[];
  remember: boolean;
  /** From `BrowserSessions.begin`. */
  hasRevocations?: boolean;
}

@Injectable()
export class LoginAcceptance {
  constructor(
    private readonly hydra: HydraPort,
    private readonly upstream: RevocationRunner,
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
