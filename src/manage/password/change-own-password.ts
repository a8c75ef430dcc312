/** Changes the password, for the form and the RPC call (MAN-5, MAN-13, VAL-1, ERR-3). */
import { Injectable } from '@nestjs/common';
import type { ChangingSession } from '../../accounts/account/lock.js';
import { ChangePassword } from '../../accounts/password/change-password.js';
import { SetPassword } from '../../accounts/password/set-password.js';
import { CallFailed } from '../../gateway/http/calls.js';
import { RevocationRunner } from '../../hydra/revocation-runner.js';
import { ProvenChange } from '../session/proven-change.js';
import type { ManageContext } from '../session/manage-session.js';

export interface TypedPasswords {
  password: string;
  newPassword: string;
  newPasswordRepeat: string;
}

const BUSY_RETRY_SECONDS = 2;

@Injectable()
export class ChangeOwnPassword {
  constructor(
    private readonly provenChange: ProvenChange,
    private readonly passwords: ChangePassword,
    private readonly setPassword: SetPassword,
    private readonly revocations: RevocationRunner,
  ) {}

  /** @returns how many characters a new password needs */
  findMinLength(accountId: string): Promise<number> {
    return this.setPassword.findMinLength(accountId);
  }

  /**
   * The current password is a fresh proof for this change, if a password is enough for the account.
   * @throws CallFailed
   */
  change(typedPasswords: TypedPasswords, manageContext: ManageContext): Promise<void> {
    return this.provenChange.runWithPassword(manageContext, (manageSession) =>
      this.#change(typedPasswords, manageContext, manageSession),
    );
  }

  async #change(
    { password, newPassword, newPasswordRepeat }: TypedPasswords,
    manageContext: ManageContext,
    manageSession: ChangingSession,
  ): Promise<void> {
    if (password === '') throw new CallFailed('no password given');
    if (newPassword === '') throw new CallFailed('no new password given');
    if (newPasswordRepeat === '') throw new CallFailed('no repeat new password given');
    // The repetition may use another Unicode composition (VAL-1: NFC).
    if (newPassword.normalize('NFC') !== newPasswordRepeat.normalize('NFC')) {
      throw new CallFailed('password and repetition not equal');
    }
    const { account, auditContext, context, session } = manageContext;
    const { browser, device } = context;
    const owner = { account, browser, device, auditContext: { ...auditContext, manageSession }, sessionId: session.sessionId };
    const verdict = await this.passwords.change({ ...owner, currentPassword: password, newPassword });
    switch (verdict.kind) {
      case 'changed':
        await this.revocations.settle(account.id, auditContext.requestId);
        return;
      case 'weak':
        throw new CallFailed('password not strong enough', { reasons: verdict.reasons });
      case 'refused':
        throw new CallFailed('current password invalid');
      case 'limited':
        throw new CallFailed('too many requests', { retryAfterSeconds: verdict.retryAfterSeconds });
      case 'busy':
        throw new CallFailed('unavailable', { retryAfterSeconds: BUSY_RETRY_SECONDS });
      case 'elsewhere':
      case 'source':
        throw new CallFailed('forbidden');
    }
  }
}
