/** Answers a login request that started again with the proof or the confirmed session of an older tab (`carry-on.ts`). */
import { Injectable } from '@nestjs/common';
import { ProofOutdated } from '../../../accounts/account/account.errors.js';
import { SignInRecords, type CarriedTo, type TakenProof } from '../../../accounts/sessions/sign-in-records.js';
import type { RequestContext } from '../../../gateway/http/request-context.js';
import { redirect, type RedirectOutcome } from '../../../gateway/page/outcome.js';
import type { AuthorizationRequest } from '../../../hydra/authorization-request.js';
import type { LoginRequest } from '../../../hydra/hydra.port.js';
import { isStronger } from '../../../mfa/policy.js';
import { Accept } from '../accept.js';
import type { CarriedState, ConfirmedSession } from '../carry-on.js';
import { Dispatch } from '../dispatch.js';
import { FlowPages } from '../flow-pages.js';
import { readProof, type Proven, type SignIn } from '../sign-in.js';
import { RememberedSession } from './remembered-session.js';

interface Arrival {
  request: LoginRequest;
  authorizationRequest: AuthorizationRequest;
  to: CarriedTo;
  taken: TakenProof;
}

@Injectable()
export class CarriedTab {
  constructor(
    private readonly records: SignInRecords,
    private readonly remembered: RememberedSession,
    private readonly dispatch: Dispatch,
    private readonly accepting: Accept,
    private readonly pages: FlowPages,
  ) {}

  /**
   * @param signIn null for a request with a session (`skip`)
   * @returns null if nothing was carried here, or the proof is not enough or no longer valid: the request is then answered like any other
   */
  async answer(request: LoginRequest, signIn: SignIn | null, context: RequestContext): Promise<RedirectOutcome | null> {
    try {
      return await this.#answer(request, signIn, context);
    } catch (error) {
      if (error instanceof ProofOutdated) return null;
      throw error;
    }
  }

  async #answer(request: LoginRequest, signIn: SignIn | null, context: RequestContext): Promise<RedirectOutcome | null> {
    const { carried: secret, browser } = context;
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (secret === null || !authorizationRequest) return null;
    const to = { requestUrl: authorizationRequest.href, secret, browser };
    const taken = await this.records.takeCarried(to);
    const content = taken && (JSON.parse(taken.proof) as CarriedState);
    if (!taken || content?.client !== request.client.id) return null;
    if (content.by === 'session')
      return this.#answerInConfirmedSession(request, { ...content, accountId: taken.account.id }, context);
    const proven = readProof(content.proof, taken);
    if (signIn) return this.dispatch.afterRestart(signIn, { ...proven, trusts: content.trusts }, context);
    return this.#answerInSession({ request, authorizationRequest, to, taken }, proven, context);
  }

  /**
   * Another tab has signed in meanwhile. The request continues in its session, unless that session belongs to somebody else, is weaker
   * than the carried proof, or is not enough for the request: then the carried proof replaces it.
   */
  async #answerInSession(
    { request, authorizationRequest, to, taken }: Arrival,
    proven: Proven,
    context: RequestContext,
  ): Promise<RedirectOutcome | null> {
    const found = await this.remembered.find(request, context);
    const { account, amr, credential } = proven.proof;
    const isSameAccount = found.state === 'usable' && found.account.id === account.id;
    // A device's request cannot start again with a login prompt.
    if (isSameAccount && (authorizationRequest.isDevice || !isStronger(amr, found.session.amr)))
      return this.accepting.continueSession(request, found.session, context);
    const requestUrl = authorizationRequest.withLoginPrompt();
    // The address already requires a login. Hydra prefers the `prompt` of a request object, so the request would restart forever.
    if (requestUrl === request.requestUrl) return null;
    await this.records.carry({ ...to, requestUrl }, { accountId: account.id, amr, proof: taken.proof, ...credential });
    return redirect(requestUrl);
  }

  async #answerInConfirmedSession(
    request: LoginRequest,
    { accountId, authTime, original }: ConfirmedSession & { accountId: string },
    context: RequestContext,
  ): Promise<RedirectOutcome | null> {
    const found = await this.remembered.find(request, context);
    const isConfirmed =
      found.state === 'usable' && found.account.id === accountId && found.session.authTime.getTime() >= authTime;
    if (isConfirmed) return this.accepting.continueSession(request, found.session, context);
    return original === undefined ? null : redirect(original);
  }
}
