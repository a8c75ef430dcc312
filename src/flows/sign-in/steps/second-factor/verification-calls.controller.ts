/**
 * RPC calls of the second step (MFV-4), for every kind of factor except recovery codes. The answer to a right proof is the factor
 * token that the page's form submits.
 */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { FACTOR_PATHS } from '../../../../contract/factor-paths.js';
import { FIELDS } from '../../../../contract/form-fields.js';
import type { FactorSetupState } from '../../../../contract/mfa-state.js';
import { Bearer } from '../../../../gateway/http/bearer.js';
import { CallFailed } from '../../../../gateway/http/calls.js';
import { toPerson, type RequestContext, CurrentRequestContext } from '../../../../gateway/http/request-context.js';
import { MfaCall } from '../../../../gateway/security/access.guard.js';
import { readFactorBody } from '../../../../mfa/factor-body.js';
import type { Factor } from '../../../../mfa/factor.port.js';
import { toSignInBinding } from '../../../../mfa/factor-slot.js';
import { MAILED_FACTORS } from '../../../../mfa/held-factors.js';
import { FactorRegistry, buildPaths } from '../../../../mfa/registry.js';
import { requireBegun, requireProven } from '../../../../mfa/require-proven.js';
import { Dispatch } from '../../dispatch.js';
import type { IdentifiedSignIn } from '../../sign-in.js';
import { SecondFactor } from './second-factor.js';

const INIT_PATHS = buildPaths(FACTOR_PATHS.init, ({ proofBegins }) => proofBegins);
const VERIFY_PATHS = buildPaths(FACTOR_PATHS.verify, ({ provenBy }) => provenBy !== 'forms');
const MAX_CODE_LENGTH = 100;

@MfaCall()
@Controller()
export class VerificationCallsController {
  constructor(
    private readonly secondFactor: SecondFactor,
    private readonly dispatch: Dispatch,
    private readonly registry: FactorRegistry,
  ) {}

  @Post(INIT_PATHS)
  @HttpCode(200)
  async init(@Bearer() token: string, @CurrentRequestContext() context: RequestContext): Promise<FactorSetupState> {
    const signIn = await this.secondFactor.getByToken(token, context);
    const factor = this.registry.getByPath(context.path);
    this.#requireUsable(factor, signIn);
    const slot = { ...this.secondFactor.toSlot(signIn), verifiesUser: this.dispatch.toRequirement(signIn).onlyVerifiedUser };
    return requireBegun(await factor.beginProof(slot, toPerson(context, signIn.request.uiLocales)), factor.kind.codes.missing);
  }

  @Post(VERIFY_PATHS)
  @HttpCode(200)
  async verify(
    @Bearer() token: string,
    @Body() body: unknown,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<{ token: string }> {
    const factor = this.registry.getByPath(context.path);
    // The response of an authenticator is not validated here: the factor verifies it and counts every invalid response as a failure.
    const isTyped = factor.kind.provenBy !== 'calls';
    const answer = await readFactorBody(factor.bodies.proof, isTyped || !Array.isArray(body) ? body : {});
    const code = answer[FIELDS.code];
    if (typeof code === 'string' && code.length > MAX_CODE_LENGTH) throw new CallFailed('could not parse request');
    const signIn = await this.secondFactor.getByToken(token, context);
    this.#requireUsable(factor, signIn);
    const proof = { accountId: signIn.account.id, boundTo: toSignInBinding(signIn.id), answer, auditContext: toPerson(context) };
    const methods = requireProven(await this.secondFactor.try(signIn, () => factor.verify(proof)), factor.kind.codes);
    return { token: await this.secondFactor.issueFactorToken(signIn, { amr: factor.kind.amr, methods }) };
  }

  /**
   * @throws CallFailed for a factor other than a key if only a key is accepted, and for a mailed code after a sign-in with a mailed code
   */
  #requireUsable({ kind }: Factor, signIn: IdentifiedSignIn): void {
    const { onlyKey, acceptsMailedCode } = this.dispatch.toRequirement(signIn);
    const isMailedAgain = !acceptsMailedCode && MAILED_FACTORS.includes(kind.folder);
    if ((kind.amr !== 'hwk' && onlyKey) || isMailedAgain) throw new CallFailed('forbidden');
  }
}
