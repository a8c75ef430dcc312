/** The calls by script of the second step (MFV-4). Each answers with the proof that the page's form hands in. */
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { PATHS } from '../../contract/paths.js';
import type { AssertionOptionsAnswer } from '../../contract/rpc.js';
import { MfaCall } from '../../gateway/security/access.guard.js';
import { Bearer } from '../../gateway/http/bearer.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { CurrentRequestContext } from '../../gateway/http/request-context.js';
import type { RequestContext } from '../../gateway/http/request-context.js';
import { WebAuthnFactor } from '../factors/webauthn/webauthn.factor.js';
import { PendingSignIn, bindingOf, personOf } from './pending-sign-in.js';
import { requireProven } from './require-proven.js';
import { TotpFactor } from '../factors/totp/totp.factor.js';
import { CodeCall } from './verification.form.js';

@MfaCall()
@Controller()
export class VerificationCallsController {
  constructor(
    private readonly signIn: PendingSignIn,
    private readonly totp: TotpFactor,
    private readonly fido2: WebAuthnFactor,
  ) {}

  @Post(PATHS.mfaVerifyTotp)
  @HttpCode(200)
  async verifyTotp(
    @Bearer() token: string,
    @Body() { code = '' }: CodeCall,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<{ token: string }> {
    const pending = await this.signIn.getByToken(token, context);
    if ((await this.signIn.progress(pending)).onlyKey) throw new CallFailed('forbidden');
    if (code.trim() === '') throw new CallFailed('invalid verification code');
    const by = personOf(context);
    const verdict = await this.signIn.try(pending, () => this.totp.verify({ accountId: pending.accountId, code, by }));
    requireProven(verdict, { refused: 'invalid verification code', missing: 'totp not found' });
    return { token: await this.signIn.issueProof(pending.id, 'otp') };
  }

  @Post(PATHS.mfaInitFido2)
  @HttpCode(200)
  async initFido2(@Bearer() token: string, @CurrentRequestContext() context: RequestContext): Promise<AssertionOptionsAnswer> {
    const pending = await this.signIn.getByToken(token, context);
    const options = await this.fido2.beginAssertion(pending.accountId, bindingOf(pending));
    if (!options) throw new CallFailed('fido2 not found');
    return options;
  }

  /** @param credential looked at by the factor alone: it is whatever the browser's key made */
  @Post(PATHS.mfaVerifyFido2)
  @HttpCode(200)
  async verifyFido2(
    @Bearer() token: string,
    @Body() credential: object,
    @CurrentRequestContext() context: RequestContext,
  ): Promise<{ token: string }> {
    const pending = await this.signIn.getByToken(token, context);
    const { accountId } = pending;
    const what = { accountId, boundTo: bindingOf(pending), credential, by: personOf(context) };
    const verdict = await this.signIn.try(pending, () => this.fido2.finishAssertion(what));
    requireProven(verdict, { refused: 'fido2 failed', missing: 'fido2 not found' });
    return { token: await this.signIn.issueProof(pending.id, 'hwk') };
  }
}
