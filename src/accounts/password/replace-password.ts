/**
 * Replaces a password during the sign-in that has just proven it (`RequiredPasswords`). Ends everything that `ChangePassword` ends, and
 * all manage sessions. The sign-in itself continues, with the new password as its proof, and so do the sessions in its browser.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { fingerprint } from '../../config/keys.js';
import type { PasswordFault } from '../../contract/manage-state.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { ProofOutdated } from '../account/account.errors.js';
import type { Account } from '../account/account.js';
import { requireNotFrozen } from '../account/credential-freeze.js';
import { lockActive } from '../account/lock.js';
import { PASSWORD_VERSION } from '../account/password-version.js';
import type { AuditContext } from '../audit/audit-log.js';
import { Outbox } from '../queue/outbox.js';
import { endInOtherBrowsers } from '../sessions/browser-sessions.js';
import { forgetDevices } from '../sessions/known-devices.js';
import { endManageSessions } from '../sessions/manage-sessions.js';
import { SignInRecords } from '../sessions/sign-in-records.js';
import { HasherBusy, PasswordHasher } from './hasher.js';
import { SetPassword } from './set-password.js';

export interface PasswordReplacement {
  account: Account;
  newPassword: string;
  /** Version of the password that the sign-in has proven. */
  version: string;
  /** The sign-in that continues, and the id of its proof. */
  signIn: { id: string; proofId: string };
  /** @returns the proof of the sign-in (JSON) with the version of the new password */
  writeProof(version: string): string;
  /** Id of the browser whose sessions continue. */
  browser: string;
  /** Secret of the known-device cookie; null if the browser has no such cookie. */
  device: string | null;
  auditContext: AuditContext;
}

/** `same`: the new password is the current one. `ended`: the sign-in or its proof is no longer valid; nothing was changed. */
export type ReplacementOutcome = { kind: 'changed' | 'same' | 'busy' | 'ended' } | { kind: 'weak'; reasons: PasswordFault[] };

@Injectable()
export class ReplacePassword {
  constructor(
    private readonly database: Database,
    private readonly hasher: PasswordHasher,
    private readonly setPassword: SetPassword,
    private readonly signIns: SignInRecords,
    private readonly outbox: Outbox,
  ) {}

  /** @returns the minimum length of a new password of this account, in characters */
  findMinLength({ id }: Account): Promise<number> {
    return this.setPassword.findMinLength(id);
  }

  /** @throws CredentialsFrozen */
  async replace(replacement: PasswordReplacement): Promise<ReplacementOutcome> {
    const { account, newPassword, version } = replacement;
    const reasons = await this.setPassword.findAccountFaults(account, newPassword);
    if (reasons.length > 0) return { kind: 'weak', reasons };
    const currentHash = await this.#findHash(account.id, version);
    if (currentHash === null) return { kind: 'ended' };
    try {
      if (await this.hasher.verify(currentHash, newPassword, { accountId: account.id })) return { kind: 'same' };
      const hash = await this.setPassword.hash(newPassword);
      await this.database.transaction((trx) => this.#write(replacement, hash, trx));
      return { kind: 'changed' };
    } catch (error) {
      if (error instanceof HasherBusy) return { kind: 'busy' };
      if (error instanceof ProofOutdated) return { kind: 'ended' };
      throw error;
    }
  }

  async #findHash(accountId: string, version: string): Promise<string | null> {
    const query = this.database.db.selectFrom('password_credential as p').select('p.hash').where('p.account_id', '=', accountId);
    return (await query.where(PASSWORD_VERSION, '=', version).executeTakeFirst())?.hash ?? null;
  }

  /** @throws ProofOutdated, CredentialsFrozen */
  async #write(replacement: PasswordReplacement, hash: string, trx: Transaction<Schema>): Promise<void> {
    const { account, version, signIn, writeProof, browser, device, auditContext } = replacement;
    const { database, setPassword, outbox } = this;
    const { id: accountId } = account;
    const now = database.now();
    const lockedAccount = await lockActive(accountId, trx);
    if (!lockedAccount || (await setPassword.findReplacingSource(accountId, trx)) !== null) throw new ProofOutdated();
    await requireNotFrozen({ accountId, now }, trx);
    const credential = trx.selectFrom('password_credential as p').select('p.account_id').where('p.account_id', '=', accountId);
    if (!(await credential.where(PASSWORD_VERSION, '=', version).forUpdate().executeTakeFirst())) throw new ProofOutdated();
    await setPassword.write(
      { account: { id: accountId, username: lockedAccount.username }, hash, auditContext, exceptSignIn: signIn.id },
      trx,
    );
    const proof = writeProof(await findVersion(accountId, trx));
    if (!(await this.signIns.replaceProof({ ...signIn, accountId }, proof, trx))) throw new ProofOutdated();
    await outbox.queueNotice({ kind: 'password-changed', accountId, auditContext }, trx);
    await endManageSessions({ accountId, now }, trx);
    await endInOtherBrowsers({ accountId, browserHash: fingerprint(browser), now }, trx);
    await forgetDevices(accountId, trx, device);
  }
}

async function findVersion(accountId: string, trx: Transaction<Schema>): Promise<string> {
  const query = trx.selectFrom('password_credential as p').select(sql<string>`${PASSWORD_VERSION}`.as('version'));
  return (await query.where('p.account_id', '=', accountId).executeTakeFirstOrThrow()).version;
}
