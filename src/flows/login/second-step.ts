/** The end of a sign-in that waited for a second factor. It trusts nothing that was decided before the factor was asked. */
import { Inject, Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/account/accounts.js';
import { Factors } from '../../accounts/factors/factors.js';
import { PendingAuthentications } from '../../accounts/sessions/pending-authentications.js';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { ChallengeFault } from '../../contract/page-state.js';
import type { Outcome } from '../../gateway/page/outcome.js';
import type { Visit } from '../../gateway/http/request-context.js';
import { HydraPort } from '../../hydra/hydra.port.js';
import { LoginContinuation } from '../../mfa/verification/login-continuation.js';
import { nextStep } from '../../mfa/next-step.js';
import { SignOn } from '../sign-in/sign-in.js';
import { challengeFault, wantedOf } from '../sign-in/waiting-request.js';

@Injectable()
export class SecondStep extends LoginContinuation {
  constructor(
    private readonly hydra: HydraPort,
    private readonly signOn: SignOn,
    private readonly pendings: PendingAuthentications,
    private readonly accounts: Accounts,
    private readonly factors: Factors,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mfa'>,
  ) {
    super();
  }

  async continueLogin(challenge: string, visit: Visit): Promise<Outcome | ChallengeFault | 'unproven'> {
    if (challenge === '') return 'missing';
    const pending = await this.pendings.find(challenge, visit.browser);
    const account = pending && (await this.accounts.find(pending.accountId));
    if (!pending || pending.isClosed || account?.status !== 'active') return this.#finished(challenge, visit);
    const request = await this.hydra.getLogin(challenge).catch(challengeFault);
    if (typeof request === 'string') return request;
    const factors = await this.factors.status(account.id);
    const { amr, context } = pending;
    const wanted = wantedOf(request, account, this.config.mfa);
    if (nextStep({ proven: amr, factors, wanted }) !== 'accept') return 'unproven';
    const { remember, isKnownDevice, passwordVersion, standing, provider } = context;
    const identity = { account, amr, remember, isKnownDevice, passwordVersion, standing, provider };
    const outcome = await this.signOn.complete(request, identity, visit);
    await this.pendings.end(pending.id);
    return outcome ?? 'used';
  }

  async faultOf(challenge: string, visit: Visit): Promise<ChallengeFault> {
    if (challenge === '') return 'missing';
    const request = await this.hydra.getLogin(challenge).catch(challengeFault);
    if (typeof request === 'string') return request;
    const { state } = await this.signOn.peek(challenge, visit);
    if (state === 'done') return 'used';
    return state === 'foreign' || state === 'stepped' ? 'foreign' : 'expired';
  }

  /** The second of two clicks comes after the first one has finished. */
  async #finished(challenge: string, visit: Visit): Promise<Outcome | ChallengeFault> {
    const record = await this.signOn.peek(challenge, visit);
    const repeated = record.state === 'done' ? this.signOn.repeat(record.result, visit) : null;
    return repeated ?? this.faultOf(challenge, visit);
  }
}
