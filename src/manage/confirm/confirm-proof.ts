/** Performs a fresh proof: a password, a code or a key, limited and counted like a sign-in (MAN-14). */
import { Injectable } from '@nestjs/common';
import { ManageSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { PasswordProof } from '../../accounts/password/proof.js';
import type { AssertionOptionsAnswer } from '../../contract/rpc.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { WebAuthnFactor } from '../../mfa/factors/webauthn/webauthn.factor.js';
import { requireProven } from '../../mfa/verification/require-proven.js';
import { TotpFactor } from '../../mfa/factors/totp/totp.factor.js';
import { bindingOf } from '../session/manage-session.js';
import type { ManageContext } from '../session/manage-session.js';

const BUSY_SECONDS = 2;

@Injectable()
export class ConfirmProof {
  constructor(
    private readonly sessions: ManageSessionRecords,
    private readonly passwords: PasswordProof,
    private readonly totp: TotpFactor,
    private readonly fido2: WebAuthnFactor,
    private readonly audit: AuditLog,
  ) {}

  /** @throws CallFailed */
  async byPassword(password: string, current: ManageContext): Promise<void> {
    if (password === '') throw new CallFailed('no password given');
    const { address, requestId, device } = current.context;
    const verdict = await this.passwords.verify(current.account, { password, address, requestId, device });
    switch (verdict.kind) {
      case 'proven':
        return this.proven('password', current);
      case 'refused':
        throw new CallFailed('current password invalid');
      case 'limited':
        throw new CallFailed('too many requests', { retryAfterSeconds: verdict.retryAfterSeconds });
      case 'busy':
        throw new CallFailed('unavailable', { retryAfterSeconds: BUSY_SECONDS });
    }
  }

  /** @throws CallFailed */
  async byCode(code: string, current: ManageContext): Promise<void> {
    const verdict = await this.totp.verify({ accountId: current.account.id, code, by: current.by });
    requireProven(verdict, { refused: 'invalid verification code', missing: 'totp not found' });
    await this.proven('totp', current);
  }

  /** @throws CallFailed */
  async beginByKey(current: ManageContext): Promise<AssertionOptionsAnswer> {
    const options = await this.fido2.beginAssertion(current.account.id, proofBindingOf(current));
    if (!options) throw new CallFailed('fido2 not found');
    return options;
  }

  /** @throws CallFailed */
  async byKey(credential: unknown, current: ManageContext): Promise<void> {
    const { account, by } = current;
    const verdict = await this.fido2.finishAssertion({ accountId: account.id, boundTo: proofBindingOf(current), credential, by });
    requireProven(verdict, { refused: 'fido2 failed', missing: 'fido2 not found' });
    await this.proven('fido2', current);
  }

  /** Called after each successful proof. */
  async proven(method: string, { session, account, by }: ManageContext): Promise<void> {
    await this.sessions.prove(session.sessionId);
    await this.audit.record({ ...by, kind: 'proof.ok', accountId: account.id, detail: { method } });
  }
}

/** Separate from a factor set-up: an assertion for one is invalid for the other. */
function proofBindingOf(current: ManageContext): string {
  return `${bindingOf(current)}:proof`;
}
