/** The fresh proof itself: a password, a code or a key, judged and counted as at a sign-in (MAN-14). */
import { Injectable } from '@nestjs/common';
import { AreaSessionRecords } from '../../accounts/sessions/manage-sessions.js';
import { AuditTrail } from '../../accounts/audit/audit-log.js';
import { PasswordProof } from '../../accounts/password/proof.js';
import type { AssertionOptionsAnswer } from '../../contract/rpc.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { Fido2Factor } from '../../mfa/factors/webauthn/webauthn.factor.js';
import { requireProven } from '../../mfa/verification/require-proven.js';
import { TotpFactor } from '../../mfa/factors/totp/totp.factor.js';
import { bindingOf } from '../session/manage-session.js';
import type { Guest } from '../session/manage-session.js';

const BUSY_SECONDS = 2;

@Injectable()
export class ConfirmProof {
  constructor(
    private readonly sessions: AreaSessionRecords,
    private readonly passwords: PasswordProof,
    private readonly totp: TotpFactor,
    private readonly fido2: Fido2Factor,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws CallFailed */
  async byPassword(password: string, guest: Guest): Promise<void> {
    if (password === '') throw new CallFailed('no password given');
    const { address, requestId, device } = guest.visit;
    const verdict = await this.passwords.verify(guest.account, { password, address, requestId, device });
    switch (verdict.kind) {
      case 'proven':
        return this.proven('password', guest);
      case 'refused':
        throw new CallFailed('current password invalid');
      case 'limited':
        throw new CallFailed('too many requests', { retryAfterSeconds: verdict.retryAfterSeconds });
      case 'busy':
        throw new CallFailed('unavailable', { retryAfterSeconds: BUSY_SECONDS });
    }
  }

  /** @throws CallFailed */
  async byCode(code: string, guest: Guest): Promise<void> {
    const verdict = await this.totp.verify({ accountId: guest.account.id, code, by: guest.by });
    requireProven(verdict, { refused: 'invalid verification code', missing: 'totp not found' });
    await this.proven('totp', guest);
  }

  /** @throws CallFailed */
  async beginByKey(guest: Guest): Promise<AssertionOptionsAnswer> {
    const options = await this.fido2.beginAssertion(guest.account.id, placeOf(guest));
    if (!options) throw new CallFailed('fido2 not found');
    return options;
  }

  /** @throws CallFailed */
  async byKey(credential: unknown, guest: Guest): Promise<void> {
    const { account, by } = guest;
    const verdict = await this.fido2.finishAssertion({ accountId: account.id, boundTo: placeOf(guest), credential, by });
    requireProven(verdict, { refused: 'fido2 failed', missing: 'fido2 not found' });
    await this.proven('fido2', guest);
  }

  /** For every way of proving it. */
  async proven(method: string, { visitor, account, by }: Guest): Promise<void> {
    await this.sessions.prove(visitor.sessionId);
    await this.audit.record({ ...by, kind: 'proof.ok', accountId: account.id, detail: { method } });
  }
}

/** Apart from a set-up: an answer to the one is none to the other. */
function placeOf(guest: Guest): string {
  return `${bindingOf(guest)}:proof`;
}
