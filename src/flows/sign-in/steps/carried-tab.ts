/** Answers a login request that started again with the proof or the confirmed session of an older tab (`carry-on.ts`). */
import { Injectable } from '@nestjs/common';
import { ProofOutdated } from '../../../accounts/account/account.errors.js';
import { SignInRecords, type CarryTarget, type TakenProof } from '../../../accounts/sessions/sign-in-records.js';
import type { RequestContext } from '../../../gateway/http/request-context.js';
import { redirect, type Outcome } from '../../../gateway/page/outcome.js';
import type { AuthorizationRequest } from '../../../hydra/authorization-request.js';
import type { LoginRequest } from '../../../hydra/hydra.port.js';
import { isStronger } from '../../../mfa/policy.js';
import { Accept } from '../accept.js';
import type { CarriedState, ConfirmedSession } from '../carry-on.js';
import { ClosedBrowser } from '../closed-browser.js';
import { Dispatch } from '../dispatch.js';
import { FlowPages } from '../flow-pages.js';
import { readProof, type StepResult, type SignIn } from '../sign-in.js';
import { RememberedSession, type FoundSession } from './remembered-session.js';

interface CarriedRequest {
  request: LoginRequest;
  authorizationRequest: AuthorizationRequest;
  target: CarryTarget;
  carriedProof: TakenProof;
}

@Injectable()
export class CarriedTab {
  constructor(
    private readonly records: SignInRecords,
    private readonly rememberedSession: RememberedSession,
    private readonly dispatch: Dispatch,
    private readonly acceptance: Accept,
    private readonly closedBrowser: ClosedBrowser,
    private readonly pages: FlowPages,
  ) {}

  /**
   * @param signIn null for a request with a session (`skip`)
   * @returns null if nothing was carried here, or the proof is not enough or no longer valid: the request is then answered like any other
   */
  async answer(request: LoginRequest, signIn: SignIn | null, context: RequestContext): Promise<Outcome | null> {
    try {
      return await this.#answer(request, signIn, context);
    } catch (error) {
      if (error instanceof ProofOutdated) return null;
      throw error;
    }
  }

  async #answer(request: LoginRequest, signIn: SignIn | null, context: RequestContext): Promise<Outcome | null> {
    const { carriedSecret: secret, browser } = context;
    const authorizationRequest = this.pages.authorizationRequest(request);
    if (secret === null || !authorizationRequest) return null;
    const target = { requestUrl: authorizationRequest.href, secret, browser };
    const carriedProof = await this.records.takeCarriedProof(target);
    const content = carriedProof && (JSON.parse(carriedProof.proof) as CarriedState);
    if (!carriedProof || content?.client !== request.client.id) return null;
    if (content.by === 'session')
      return this.#answerInConfirmedSession(request, { ...content, accountId: carriedProof.account.id }, context);
    const stepResult = readProof(content.proof, carriedProof);
    if (signIn) return this.dispatch.afterRestart(signIn, { ...stepResult, trusts: content.trusts }, context);
    return this.#answerInSession({ request, authorizationRequest, target, carriedProof }, stepResult, context);
  }

  /**
   * Another tab has signed in meanwhile. The request continues in the session of that tab, unless the session belongs to another person, is
   * weaker than the carried proof, or is not enough for the request: then the carried proof replaces the session.
   */
  async #answerInSession(
    { request, authorizationRequest, target, carriedProof }: CarriedRequest,
    stepResult: StepResult,
    context: RequestContext,
  ): Promise<Outcome | null> {
    const foundSession = await this.rememberedSession.find(request, context);
    const { account, amr, credential } = stepResult.proof;
    const isSameAccount = foundSession.state === 'usable' && foundSession.account.id === account.id;
    const { isDevice } = authorizationRequest;
    // A device request cannot start again with a login prompt, so it continues in a weaker session too.
    if (isSameAccount && (isDevice || !isStronger(amr, foundSession.session.amr)))
      return this.acceptance.continueSession(request, foundSession.session, context);
    const requestUrl = isDevice ? authorizationRequest.href : authorizationRequest.withLoginPrompt();
    // The address already requires a login. Hydra prefers the `prompt` of a request object, so the request would restart forever.
    if (!isDevice && requestUrl === request.requestUrl) return null;
    await this.records.carry({ ...target, requestUrl }, { accountId: account.id, amr, proof: carriedProof.proof, ...credential });
    return isDevice ? this.#endSession(request, { authorizationRequest, foundSession }, context) : redirect(requestUrl);
  }

  /** A device's request cannot start again with a login prompt, so it starts again without the session. */
  async #endSession(
    request: LoginRequest,
    { authorizationRequest, foundSession }: { authorizationRequest: AuthorizationRequest; foundSession: FoundSession },
    context: RequestContext,
  ): Promise<Outcome> {
    const restart = this.pages.addEnteredCode(authorizationRequest, context);
    if (foundSession.state === 'elsewhere') return this.closedBrowser.restart(request, restart, context);
    return this.closedBrowser.endSession(request, restart);
  }

  async #answerInConfirmedSession(
    request: LoginRequest,
    { accountId, authTime, original }: ConfirmedSession & { accountId: string },
    context: RequestContext,
  ): Promise<Outcome | null> {
    const foundSession = await this.rememberedSession.find(request, context);
    const isConfirmed =
      foundSession.state === 'usable' &&
      foundSession.account.id === accountId &&
      foundSession.session.authTime.getTime() >= authTime;
    if (isConfirmed) return this.acceptance.continueSession(request, foundSession.session, context);
    return original === undefined ? null : redirect(original);
  }
}
