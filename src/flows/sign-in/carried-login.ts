/**
 * A login request that started again with what was proven in an older tab (`CarriedProof`). It passes unasked if the
 * proof is still enough; everything is decided again, because account, factors and client may have changed.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import { CarriedProofs, type CarriedProof, type CarriedTo } from '../../accounts/sessions/carried-proofs.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { redirect, type RedirectOutcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { AuthorizationRequest } from '../../hydra/authorization-request.js';
import type { LoginRequest } from '../../hydra/hydra.port.js';
import { Factors } from '../../mfa/factors.js';
import { nextStep } from '../../mfa/next-step.js';
import type { CarriedLoginContent, ConfirmedSession } from './carried-proof.js';
import { RememberedSessions } from './remembered-sessions.js';
import { SignIn } from './sign-in.js';
import type { ProvenIdentity } from './proven-identity.js';
import { wantedOf } from './waiting-request.js';

interface Arrival {
  request: LoginRequest;
  authorizationRequest: AuthorizationRequest;
  to: CarriedTo;
  context: RequestContext;
}

@Injectable()
export class CarriedLogin {
  constructor(
    private readonly carried: CarriedProofs,
    private readonly accounts: Accounts,
    private readonly factors: Factors,
    private readonly sessions: RememberedSessions,
    private readonly signIn: SignIn,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @returns null if nothing was carried here, or not enough: the request is then answered like any other */
  async answer(request: LoginRequest, context: RequestContext): Promise<RedirectOutcome | null> {
    const { carried: secret, browser } = context;
    const authorizationRequest = AuthorizationRequest.parse(request.requestUrl, this.config.hydra.publicUrl);
    if (secret === null || !authorizationRequest) return null;
    const to: CarriedTo = { step: 'login', requestUrl: authorizationRequest.href, secret, browser };
    const proof = await this.carried.take(to);
    const content = proof && (JSON.parse(proof.content) as CarriedLoginContent);
    if (!proof || content?.client !== request.client.id) return null;
    const claim = await this.signIn.claim(request.challenge, context);
    if (claim.state !== 'new' && claim.state !== 'open') return null;
    const arrival = { request, authorizationRequest, to, context };
    if (content.by === 'session') return this.#continued(arrival, proof, content);
    const { providerAuthTime: authTime } = content.identity;
    const providerAuthTime = typeof authTime === 'string' ? new Date(authTime) : authTime;
    const identity = await this.#enough(request, { ...content.identity, providerAuthTime, amr: proof.amr }, proof.accountId);
    if (!identity) return null;
    return request.skip ? this.#inSession(arrival, proof, identity) : this.signIn.accept(request, identity, context);
  }

  async #enough(
    request: LoginRequest,
    identity: Omit<ProvenIdentity, 'account'>,
    accountId: string,
  ): Promise<ProvenIdentity | null> {
    const account = await this.accounts.find(accountId);
    if (account?.status !== 'active') return null;
    const factors = await this.factors.status(account.id);
    const wanted = wantedOf(request, account, this.config);
    return nextStep({ proven: identity.amr, factors, wanted }) === 'accept' ? { ...identity, account } : null;
  }

  /** Another tab has signed in meanwhile. A session of somebody else, or one that is not enough, is replaced. */
  async #inSession(arrival: Arrival, proof: CarriedProof, identity: ProvenIdentity): Promise<RedirectOutcome> {
    const { request, authorizationRequest, to, context } = arrival;
    const found = await this.sessions.find(request, context);
    const isOwn = found.state === 'usable' && found.account.id === identity.account.id;
    if (isOwn) return this.signIn.continueSession(request, found.session, context);
    const requestUrl = authorizationRequest.askingForLogin();
    const { passwordVersion, securityStamp } = identity;
    await this.carried.keep({ ...to, requestUrl }, { ...proof, passwordVersion, securityStamp });
    return redirect(requestUrl);
  }

  async #continued(
    { request, context }: Arrival,
    { accountId }: CarriedProof,
    { authTime, original }: ConfirmedSession,
  ): Promise<RedirectOutcome | null> {
    const found = await this.sessions.find(request, context);
    const isConfirmed =
      found.state === 'usable' && found.account.id === accountId && found.session.authTime.getTime() >= authTime;
    if (isConfirmed) return this.signIn.continueSession(request, found.session, context);
    return original === undefined ? null : redirect(original);
  }
}
