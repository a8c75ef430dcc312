/** Common rules of all factor set-ups: who may start one, and its answer. */
import { Injectable } from '@nestjs/common';
import { Factors } from '../../accounts/factors/factors.js';
import type { FactorAddedAnswer } from '../../contract/rpc.js';
import { CallFailed } from '../../gateway/http/calls.js';
import type { Added, SetUp } from '../../mfa/factor.js';
import { PendingSignIn } from '../../mfa/verification/pending-sign-in.js';
import { ManagePages } from './manage-pages.js';
import { requireAdded } from './factor-answers.js';
import { FreshProof } from './fresh-proof.js';
import { bindingOf } from './manage-session.js';
import type { ManageRequest, ManageContext } from './manage-session.js';

@Injectable()
export class FactorSetup {
  constructor(
    private readonly pages: ManagePages,
    private readonly proof: FreshProof,
    private readonly factors: Factors,
    private readonly signIn: PendingSignIn,
  ) {}

  /**
   * @throws CallFailed without a fresh proof, or during a sign-in if the account already has a factor (docs/security.md
   * D6)
   */
  async current(request: ManageRequest): Promise<ManageContext> {
    const current = await this.pages.current(request);
    await this.proof.require(current);
    if (current.session.scope === 'enrol') {
      const { totp, keys } = await this.factors.status(current.account.id);
      if (totp) throw new CallFailed('totp already registered');
      if (keys > 0) throw new CallFailed('fido2 already registered');
    }
    return current;
  }

  setUpOf(current: ManageContext): SetUp {
    const { account, session, by } = current;
    const onlyFirst = session.scope === 'enrol';
    return { account, boundTo: bindingOf(current), onlyFirst, manageSession: session.sessionId, by };
  }

  /** @throws CallFailed */
  async answer(added: Added, { session }: ManageContext, by: 'otp' | 'hwk'): Promise<FactorAddedAnswer> {
    const codes = requireAdded(added);
    const token = session.pendingId === null ? null : await this.signIn.proveByEnrolment(session.pendingId, by);
    return { ...(codes ? { recovery_codes: codes } : {}), ...(token === null ? {} : { token }) };
  }
}
