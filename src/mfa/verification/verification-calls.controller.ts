/** RPC calls of the second step (MFV-4), for every kind of factor. A proof returns the token that the page's form submits. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { FACTOR_PATHS } from '../../contract/factor-paths.js';
import { FIELDS } from '../../contract/form-fields.js';
import type { FactorSetupState } from '../../contract/mfa-state.js';
import { Bearer } from '../../gateway/http/bearer.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { personOf, type RequestContext, CurrentRequestContext } from '../../gateway/http/request-context.js';
import { MfaCall } from '../../gateway/security/access.guard.js';
import type { PendingAuthentication } from '../../accounts/sessions/pending-authentications.js';
import { readFactorBody } from '../factor-body.js';
import type { Factor } from '../factor.port.js';
import { signInBinding } from '../factor-slot.js';
import { FactorRegistry, pathsOf } from '../registry.js';
import { PendingSignIn } from './pending-sign-in.js';
import { requireBegun, requireProven } from './require-proven.js';

const INIT = pathsOf(FACTOR_PATHS.init, ({ proofBegins }) => proofBegins);
const VERIFY = pathsOf(FACTOR_PATHS.verify, ({ provenBy }) => provenBy !== 'forms');
const LONGEST_CODE = 100;

@MfaCall()
@Controller()
export class VerificationCallsController {
  constructor(
    private readonly signIn: PendingSignIn,
    private readonly registry: FactorRegistry,
  ) {}

  @Post(INIT)
  @HttpCode(200)
  async init(@Bearer() token: string, @CurrentRequestContext() context: RequestContext): Promise<FactorSetupState> {
    const pending = await this.signIn.getByToken(token, context);
    const factor = this.registry.getByPath(context.path);
    this.#requireOfUse(factor, pending);
    const slot = { ...this.signIn.slotOf(pending), verifiesUser: this.signIn.progress(pending).onlyVerifiedUser };
    return requireBegun(await factor.beginProof?.(slot, personOf(context, pending.context.uiLocales)), factor.kind.codes.missing);
  }

  @Post(VERIFY)
  @HttpCode(200)
  async verify(
    @Bearer() token: string,
    @Body() body: unknown,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<{ token: string }> {
    const factor = this.registry.getByPath(context.path);
    // A response that nobody types is verified only by the factor; any invalid one counts as a failure.
    const isTyped = factor.kind.provenBy !== 'calls';
    const answer = await readFactorBody(factor.bodies.proof, isTyped || !Array.isArray(body) ? body : {});
    const code = answer[FIELDS.code];
    if (typeof code === 'string' && code.length > LONGEST_CODE) throw new CallFailed('could not parse request');
    const pending = await this.signIn.getByToken(token, context);
    this.#requireOfUse(factor, pending);
    const proof = { accountId: pending.account.id, boundTo: signInBinding(pending.id), answer, by: personOf(context) };
    const methods = requireProven(await this.signIn.try(pending, () => factor.verify(proof)), factor.kind.codes);
    return { token: await this.signIn.issueProof(pending.id, { amr: factor.kind.amr, methods }) };
  }

  /** If only a key is accepted, other factors are not checked. */
  #requireOfUse({ kind }: Factor, pending: PendingAuthentication): void {
    if (kind.amr !== 'hwk' && this.signIn.progress(pending).onlyKey) throw new CallFailed('forbidden');
  }
}
