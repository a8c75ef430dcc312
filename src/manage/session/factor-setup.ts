/** The rules of setting a factor up that both kinds have in common: who may begin, and what a finished one answers. */
import { Injectable } from '@nestjs/common';
import { Factors } from '../../accounts/factors/factors.js';
import type { FactorAddedAnswer } from '../../contract/rpc.js';
import { CallFailed } from '../../gateway/http/calls.js';
import type { Added, SetUp } from '../../mfa/factor.js';
import { PendingSignIn } from '../../mfa/verification/pending-sign-in.js';
import { AreaEdge } from './manage-pages.js';
import { requireAdded } from './factor-answers.js';
import { FreshProof } from './fresh-proof.js';
import { bindingOf } from './manage-session.js';
import type { Caller, Guest } from './manage-session.js';

@Injectable()
export class FactorSetup {
  constructor(
    private readonly edge: AreaEdge,
    private readonly proof: FreshProof,
    private readonly factors: Factors,
    private readonly signIn: PendingSignIn,
  ) {}

  /** Throws CallFailed: without fresh proof; during a sign-in once there is a factor (security decision D6). */
  async guest(caller: Caller): Promise<Guest> {
    const guest = await this.edge.guest(caller);
    await this.proof.requireForCall(guest);
    if (guest.visitor.scope === 'enrol') {
      const { totp, keys } = await this.factors.status(guest.account.id);
      if (totp) throw new CallFailed('totp already registered');
      if (keys > 0) throw new CallFailed('fido2 already registered');
    }
    return guest;
  }

  setUpOf(guest: Guest): SetUp {
    const { account, visitor, by } = guest;
    const onlyFirst = visitor.scope === 'enrol';
    return { account, boundTo: bindingOf(guest), onlyFirst, areaSession: visitor.sessionId, by };
  }

  /** @throws CallFailed */
  async answer(added: Added, { visitor }: Guest, by: 'otp' | 'hwk'): Promise<FactorAddedAnswer> {
    const codes = requireAdded(added);
    const token = visitor.pendingId === null ? null : await this.signIn.proveByEnrolment(visitor.pendingId, by);
    return { ...(codes ? { recovery_codes: codes } : {}), ...(token === null ? {} : { token }) };
  }
}
