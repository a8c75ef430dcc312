/**
 * The end of a form whose request was overtaken by a newer one of the same client (LOG-14): what was proven or confirmed
 * is kept, and the request starts again from its own address. `CarriedLogin` takes it there.
 */
import { Injectable } from '@nestjs/common';
import type { BrowserSession } from '../../accounts/sessions/browser-sessions.js';
import { CarriedProofs } from '../../accounts/sessions/carried-proofs.js';
import { ChallengeRecords } from '../../accounts/sessions/challenge-records.js';
import { randomToken } from '../../config/keys.js';
import { redirect, type RedirectOutcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { finishOnce, loginOwner } from './finished-answer.js';
import { FlowPages } from './flow-pages.js';
import { isOutdated } from './opened-requests.js';
import type { ProvenIdentity } from './proven-identity.js';

/** What goes with a login request that starts again. */
export type CarriedLoginContent = { client: string } & (
  | {
      by: 'proof';
      identity: Omit<ProvenIdentity, 'account' | 'amr' | 'providerAuthTime' | 'isOwnedDevice' | 'begun'> & {
        providerAuthTime?: string | null;
      };
    }
  /** A session was confirmed, or led to the consent page. */
  | ConfirmedSession
);

export interface ConfirmedSession {
  by: 'session';
  /** When its person was proven, in ms since the epoch. A session from before that is not the confirmed one. */
  authTime: number;
  /** The request as the client sent it, if it starts again without `prompt=login`, which was fulfilled. */
  original?: string;
}

interface Leaving {
  accountId: string;
  amr: readonly string[];
  content: CarriedLoginContent;
  passwordVersion?: string | undefined;
  securityStamp?: string | undefined;
}

@Injectable()
export class CarriedProof {
  constructor(
    private readonly carried: CarriedProofs,
    private readonly records: ChallengeRecords,
    private readonly pages: FlowPages,
  ) {}

  /** @returns null if the OAuth server can still finish this request */
  restartUrl(request: LoginRequest, context: RequestContext): string | null {
    if (!isOutdated('login', request, context)) return null;
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (!authorizationRequest) return null;
    return authorizationRequest.canStartAgain() || authorizationRequest.isDevice ? authorizationRequest.href : null;
  }

  /** @returns null if another form has answered the challenge meanwhile */
  restartProven(
    { url, request }: { url: string; request: LoginRequest },
    // The browser may arrive with another device, which somebody has planted: it is looked at again.
    { account, amr, providerAuthTime, isOwnedDevice: _device, begun: _begun, ...identity }: ProvenIdentity,
    context: RequestContext,
  ): Promise<RedirectOutcome | null> {
    const { passwordVersion, securityStamp } = identity;
    const authTime = providerAuthTime && { providerAuthTime: providerAuthTime.toISOString() };
    const content = { client: request.client.id, by: 'proof', identity: { ...identity, ...authTime } } as const;
    return this.#restart({ url, request }, { accountId: account.id, amr, content, passwordVersion, securityStamp }, context);
  }

  /** @returns null if another form has answered the challenge meanwhile */
  restartConfirmed(
    { url, request }: { url: string; request: LoginRequest },
    { accountId, authTime }: BrowserSession,
    context: RequestContext,
  ): Promise<RedirectOutcome | null> {
    const content = { client: request.client.id, by: 'session', authTime: authTime.getTime() } as const;
    return this.#restart({ url, request }, { accountId, amr: [], content }, context);
  }

  async #restart(
    { url, request }: { url: string; request: LoginRequest },
    { content, ...leaving }: Leaving,
    context: RequestContext,
  ): Promise<RedirectOutcome | null> {
    const secret = randomToken();
    const to = { step: 'login', requestUrl: url, secret, browser: context.browser } as const;
    await this.carried.keep(to, { ...leaving, content: JSON.stringify(content) });
    const at = { records: this.records, owner: loginOwner(request.challenge, context) };
    return finishOnce(at, redirect(url, { carried: secret }), context);
  }
}
