/** Finishes a sign-in that waited for a second factor. It checks everything again that was decided before. */
import { Inject, Injectable } from '@nestjs/common';
import { PendingAuthentications, type PendingAuthentication } from '../../accounts/sessions/pending-authentications.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { ChallengeFault } from '../../contract/page-state.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { HydraPort, type LoginRequest } from '../../hydra/hydra.port.js';
import { LoginContinuation } from '../../mfa/verification/login-continuation.js';
import { mayTrustBrowser, nextStep } from '../../mfa/next-step.js';
import { PasskeyOffer } from './passkey-offer.js';
import { SignIn } from './sign-in.js';
import { challengeFault, faultShown, lacksNewProof, wantedOf } from './waiting-request.js';

@Injectable()
export class SecondStep extends LoginContinuation {
  constructor(
    private readonly hydra: HydraPort,
    private readonly signIn: SignIn,
    private readonly pendings: PendingAuthentications,
    private readonly offer: PasskeyOffer,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super();
  }

  async continueLogin(
    challenge: string,
    context: RequestContext,
    { trustsBrowser = false } = {},
  ): Promise<Outcome | ChallengeFault | 'unproven'> {
    if (challenge === '') return 'missing';
    const pending = await this.pendings.find(challenge, context.browser);
    if (!pending || pending.isClosed) return this.#finished(challenge, context);
    const { account, factors, amr, trustStamp } = pending;
    // The rule of the client may have changed since the password (decision 0011), so what the record keeps is not used.
    const request = await this.hydra.getLogin(challenge).catch(challengeFault);
    if (typeof request === 'string') return request;
    const progress = { proven: amr, factors, wanted: wantedOf(request, account, this.config) };
    const step = nextStep(progress);
    if (step === 'unmet') return this.#refuse(request, context);
    if (step !== 'accept') return 'unproven';
    const { remember, isKnownDevice, passwordVersion, securityStamp, provider, providerAuthTime, isEarlierProof } =
      pending.context;
    if (lacksNewProof({ amr, isEarlierProof }, request, this.config.hydra)) return 'unproven';
    const authTime = providerAuthTime === undefined ? null : new Date(providerAuthTime);
    const proof = { passwordVersion, securityStamp, provider, providerAuthTime: authTime };
    const days = trustsBrowser && mayTrustBrowser(progress) ? this.config.mfa.trustedBrowserDays : 0;
    const trusts = days === 0 ? undefined : { lifetimeSeconds: days * 24 * 3600, stamp: trustStamp };
    const passkeyCreation = creationOf(pending);
    const identity = { account, amr, remember, isKnownDevice, trusts, passkeyCreation, ...proof };
    const outcome = await this.signIn.complete(request, identity, context).catch(challengeFault);
    return typeof outcome === 'string' ? outcome : this.#offered(outcome, { request, identity, factors }, context);
  }

  async #offered(...of: Parameters<PasskeyOffer['before']>): Promise<Outcome | ChallengeFault> {
    return (await this.offer.before(...of)) ?? 'used';
  }

  async #refuse(request: LoginRequest, context: RequestContext): Promise<Outcome | ChallengeFault> {
    return (await this.signIn.refuse(request, context).catch(challengeFault)) ?? 'used';
  }

  async faultOf(challenge: string, context: RequestContext): Promise<ChallengeFault> {
    if (challenge === '') return 'missing';
    const request = await this.hydra.getLogin(challenge).catch(challengeFault);
    if (typeof request === 'string') return request;
    const { state } = await this.signIn.peek(challenge, context);
    if (state === 'done') return 'used';
    return state === 'foreign' || state === 'stepped' ? faultShown('foreign', context) : 'expired';
  }

  /** The second of two clicks arrives after the first has finished. */
  async #finished(challenge: string, context: RequestContext): Promise<Outcome | ChallengeFault> {
    const record = await this.signIn.peek(challenge, context);
    const repeated = record.state === 'done' ? this.signIn.repeat(record.result, context) : null;
    return repeated ?? this.faultOf(challenge, context);
  }
}

/** Whoever has just set a factor up is not asked for more. */
function creationOf({ enrolmentId, context }: PendingAuthentication) {
  return enrolmentId === null ? context.passkeyCreation : undefined;
}
