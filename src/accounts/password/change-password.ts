/**
 * Changes a password with the current password as proof. The change ends everything that started with the old password:
 * sessions of other browsers, other sessions of the account area, pending sign-ins. The current session continues.
 */
import { Injectable } from '@nestjs/common';
import { fingerprint } from '../../config/keys.js';
import type { PasswordFault } from '../../contract/manage-state.js';
import { Database } from '../../database/database.js';
import { lockAccount, type OwnChange } from '../account/lock.js';
import type { Account } from '../account/account.js';
import { ManageSessionRecords } from '../sessions/manage-sessions.js';
import { requireNotFrozen } from '../account/credential-freeze.js';
import { endInOtherBrowsers } from '../sessions/browser-sessions.js';
import { forgetDevices } from '../sessions/known-devices.js';
import { Outbox } from '../queue/outbox.js';
import { HasherBusy, PasswordHasher } from './hasher.js';
import { PasswordProof, type ProofVerdict } from './proof.js';
import { PASSWORD_VERSION } from '../account/password-version.js';
import { SetPassword } from './set-password.js';

export interface PasswordChange {
  account: Account;
  currentPassword: string;
  newPassword: string;
  /** Id of the browser whose sessions continue. */
  browser: string;
  /** The session of the account area that continues. */
  sessionId: string;
  /** Secret of the known-device cookie; null if the browser has no such cookie. */
  device: string | null;
  auditContext: OwnChange & { address: string; requestId: string };
}

/**
 * `elsewhere`: Foyer does not store the password; it can be changed only at the source or provider of the account. `weak`: the policy
 * refuses the new password. The policy is checked before the current password: its faults reveal nothing about that password.
 */
export type PasswordChangeOutcome =
  | { kind: 'changed' }
  | { kind: 'elsewhere' }
  | { kind: 'weak'; reasons: PasswordFault[] }
  | Exclude<ProofVerdict, { kind: 'proven' }>;

@Injectable()
export class ChangePassword {
  constructor(
    private readonly database: Database,
    private readonly hasher: PasswordHasher,
    private readonly proof: PasswordProof,
    private readonly setPassword: SetPassword,
    private readonly sessions: ManageSessionRecords,
    private readonly outbox: Outbox,
  ) {}

  /** @throws CredentialsFrozen, ChangeRefused */
  async change(change: PasswordChange): Promise<PasswordChangeOutcome> {
    const { account, currentPassword, newPassword, device, auditContext } = change;
    const { proof, hasher, setPassword } = this;
    const location = await proof.findLocation(account.id);
    if (location !== null && location.at !== 'here') return { kind: 'elsewhere' };
    const reasons = await setPassword.findAccountFaults(account, newPassword);
    if (reasons.length > 0) return { kind: 'weak', reasons };
    const { address, requestId } = auditContext;
    const verdict = await proof.verify(account, { password: currentPassword, address, device, requestId });
    if (verdict.kind !== 'proven') return verdict;
    if (verdict.passwordVersion === undefined) return { kind: 'elsewhere' };
    try {
      const hash = await hasher.hash(newPassword, { isPreferred: true });
      const isChanged = await this.#write(change, { hash, version: verdict.passwordVersion });
      return isChanged ? { kind: 'changed' } : { kind: 'refused' };
    } catch (error) {
      if (error instanceof HasherBusy) return { kind: 'busy' };
      throw error;
    }
  }

  /** @returns false if a concurrent change has replaced the proven password */
  async #write(
    { account, browser, sessionId, device, auditContext: { manageSession, ...auditContext } }: PasswordChange,
    { hash, version }: { hash: string; version: string },
  ): Promise<boolean> {
    const { database, setPassword, sessions, outbox } = this;
    const { id: accountId } = account;
    return database.transaction(async (trx) => {
      await lockAccount(accountId, trx);
      await requireNotFrozen({ accountId, now: database.now() }, trx);
      const credential = trx.selectFrom('password_credential as p').select('p.account_id').where('p.account_id', '=', accountId);
      if (!(await credential.where(PASSWORD_VERSION, '=', version).forUpdate().executeTakeFirst())) return false;
      // The typed password is a proof in this session. Where a password is enough, no other proof is required.
      await sessions.prove(sessionId, 'password', trx);
      await manageSession.require(trx);
      await setPassword.write({ account, hash, auditContext }, trx);
      await outbox.queueNotice({ kind: 'password-changed', accountId, auditContext }, trx);
      await sessions.endForAccount(accountId, sessionId, trx);
      await endInOtherBrowsers({ accountId, browserHash: fingerprint(browser), now: database.now() }, trx);
      await forgetDevices(accountId, trx, device);
      return true;
    });
  }
}
