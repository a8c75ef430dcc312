/** Takes a fresh proof: a password, a code or a key, limited and counted like a sign-in (MAN-14). */
import { Injectable } from '@nestjs/common';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { PasswordProof } from '../../accounts/password/proof.js';
import type { FactorSetupState } from '../../contract/mfa-state.js';
import { CallFailed } from '../../gateway/http/calls.js';
import type { Factor, FactorAnswer } from '../../mfa/factor.port.js';
import { requireBegun, requireProven } from '../../mfa/require-proven.js';
import { FreshProof } from '../session/fresh-proof.js';
import { toProofSlot, type ManageContext } from '../session/manage-session.js';

const BUSY_RETRY_SECONDS = 2;
const SOURCE_RETRY_SECONDS = 30;

@Injectable()
export class ConfirmProof {
  constructor(
    private readonly sessions: ManageSessionRecords,
    private readonly passwords: PasswordProof,
    private readonly audit: AuditLog,
    private readonly freshProof: FreshProof,
  ) {}

  /** @throws CallFailed */
  async provePassword(password: string, manageContext: ManageContext): Promise<void> {
    if (password === '') throw new CallFailed('no password given');
    if (!(await this.freshProof.acceptsPassword(manageContext))) throw new CallFailed('forbidden');
    const { address, requestId, device } = manageContext.context;
    const verdict = await this.passwords.verify(manageContext.account, { password, address, requestId, device });
    switch (verdict.kind) {
      case 'proven':
        return this.#recordProof('password', manageContext);
      case 'refused':
        throw new CallFailed('current password invalid');
      case 'limited':
        throw new CallFailed('too many requests', { retryAfterSeconds: verdict.retryAfterSeconds });
      case 'busy':
        throw new CallFailed('unavailable', { retryAfterSeconds: BUSY_RETRY_SECONDS });
      case 'source':
        if (verdict.problem !== 'unavailable') throw new CallFailed('forbidden');
        throw new CallFailed('unavailable', { retryAfterSeconds: SOURCE_RETRY_SECONDS });
    }
  }

  /** @returns the answer to the RPC call; the page after a form reads its own state @throws CallFailed */
  async begin(factor: Factor, manageContext: ManageContext): Promise<FactorSetupState> {
    return requireBegun(
      await factor.beginProof(toProofSlot(manageContext), manageContext.auditContext),
      factor.kind.codes.missing,
    );
  }

  /** @throws CallFailed */
  async proveFactor(factor: Factor, answer: FactorAnswer, manageContext: ManageContext): Promise<void> {
    const { account, boundTo } = toProofSlot(manageContext);
    const verdict = await factor.verify({ accountId: account.id, boundTo, answer, auditContext: manageContext.auditContext });
    requireProven(verdict, factor.kind.codes);
    await this.#recordProof(factor.kind.name, manageContext);
  }

  /** Records in the audit log a proof that the session already has. */
  async record(method: string, { account, auditContext }: ManageContext): Promise<void> {
    await this.audit.record({ ...auditContext, kind: 'proof.ok', accountId: account.id, detail: { method } });
  }

  async #recordProof(method: string, manageContext: ManageContext): Promise<void> {
    await this.sessions.prove(manageContext.session.sessionId, method === 'password' ? 'password' : 'factor');
    await this.record(method, manageContext);
  }
}
