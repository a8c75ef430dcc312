/** Rules of all factor set-ups: who may begin a set-up, and the answer to the call. */
import { Injectable } from '@nestjs/common';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { SignInRecords } from '../../accounts/sessions/sign-in-records.js';
import type { FactorAddedAnswer } from '../../contract/rpc.js';
import { CallFailed } from '../../gateway/http/calls.js';
import type { Factor, FactorAnswer, FactorKind, SetUp, SetUpResult } from '../../mfa/factor.port.js';
import { Factors } from '../../mfa/factors.js';
import { FactorRegistry } from '../../mfa/registry.js';
import { FreshProof } from '../session/fresh-proof.js';
import { ManagePages } from '../session/manage-pages.js';
import { toBinding, type ManageContext, type ManageRequest } from '../session/manage-session.js';
import { requireAdded } from './factor-answers.js';

@Injectable()
export class FactorSetup {
  constructor(
    private readonly pages: ManagePages,
    private readonly proof: FreshProof,
    private readonly factors: Factors,
    private readonly signIns: SignInRecords,
    private readonly registry: FactorRegistry,
    private readonly sessions: ManageSessionRecords,
  ) {}

  /**
   * @throws CallFailed without a fresh proof; during a sign-in if a factor or passkey exists (docs/security.md D6); if the kind is
   * not offered; if the credentials are frozen
   */
  async requireAllowed(request: ManageRequest, kind: FactorKind): Promise<ManageContext> {
    const manageContext = await this.pages.loadContext(request);
    await this.proof.require(manageContext);
    if (manageContext.session.scope === 'enrol') {
      if (!this.registry.isOfferedAtSignIn(kind)) throw new CallFailed('factor unavailable');
      const registeredCode = this.factors.toRegisteredCode(await this.factors.readCounts(manageContext.account.id));
      if (registeredCode) throw new CallFailed(registeredCode);
    }
    if (!this.registry.isOffered(kind)) throw new CallFailed('factor unavailable');
    return manageContext;
  }

  /** @throws CallFailed if the credentials are frozen */
  confirm(factor: Factor, answer: FactorAnswer, manageContext: ManageContext): Promise<SetUpResult> {
    return this.proof.runUnfrozen(manageContext, () => factor.confirm(this.toSetUp(manageContext), answer));
  }

  toSetUp(manageContext: ManageContext): SetUp {
    const { account, session, auditContext } = manageContext;
    const onlyFirst = session.scope === 'enrol';
    const { sessionId } = session;
    const manageSession = onlyFirst ? this.sessions.toEnrollingSession(sessionId) : this.sessions.toChangingSession(sessionId);
    return { account, boundTo: toBinding(manageContext), onlyFirst, manageSession, auditContext };
  }

  /** @throws CallFailed */
  async answer(result: SetUpResult, { session, account }: ManageContext, { amr }: FactorKind): Promise<FactorAddedAnswer> {
    const codes = requireAdded(result);
    const answer = codes ? { recovery_codes: codes } : {};
    if (session.signInId === null) return answer;
    const methods = result.kind === 'added' ? result.methods : undefined;
    const token = await this.signIns.issueFactorToken({ id: session.signInId, accountId: account.id }, { amr, methods });
    if (token === null) throw new CallFailed('unauthorized');
    return { ...answer, token };
  }
}
