/**
 * A new password for whoever holds a link: mailed to the account's address, or handed out by a contact person. Using it
 * ends everything that the old password began, proves nothing more, and signs nobody in (security decision D4).
 */
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { PasswordFault } from '../../contract/manage-state.js';
import type { Locale } from '../../contract/locale.js';
import { lockActive } from '../account/lock.js';
import type { Account } from '../account/account.js';
import { Accounts } from '../account/accounts.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditContext, AuditDetail } from '../audit/audit-log.js';
import { endEverySessionOf } from '../sessions/browser-sessions.js';
import { PASSWORD_RESETS, discardSecretsOf, OneTimeSecrets } from '../secrets/one-time-secrets.js';
import type { IssuedSecret, OneTimePurpose } from '../secrets/one-time-secrets.js';
import { Outbox } from '../queue/outbox.js';
import { HasherBusy } from './hasher.js';
import { SetPassword } from './set-password.js';
import { usernameKey } from '../account/username.js';

export const MAILED_SECONDS = 30 * 60;
const HANDED_SECONDS = 24 * 3600;
const MOST_MAILS = 3;
const MAILS_SECONDS = 3600;

export interface ResetRequest {
  username: string;
  /** Of the page; the account's own when it is not known. */
  locale: Locale | undefined;
  /** Address of the request that waits for the sign-in. */
  requestUrl: string | null;
  by: AuditContext;
}

export interface PasswordReset {
  token: string;
  password: string;
  by: AuditContext;
}

/** `gone`: the token is unknown, used, replaced or too old. `weak`: the token still works. */
export type PasswordResetDone =
  | { kind: 'done'; accountId: string; requestUrl: string | null }
  | { kind: 'gone' }
  | { kind: 'weak'; reasons: PasswordFault[] }
  | { kind: 'busy' };

interface ActiveReset {
  account: Account;
  purpose: OneTimePurpose;
  requestUrl: string | null;
}

@Injectable()
export class PasswordResets {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly secrets: OneTimeSecrets,
    private readonly setPassword: SetPassword,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Queues the mail; the newest link counts. Nobody learns whether there was one: not for an unknown name, an account that
   * is disabled or has no address, nor after too many mails.
   */
  async mail({ username, locale, requestUrl, by }: ResetRequest): Promise<void> {
    const { database, secrets, audit, outbox } = this;
    const key = usernameKey(username);
    const payload = JSON.stringify({ requestUrl });
    await database.transaction(async (trx) => {
      const asked = (detail: AuditDetail, accountId?: string): Promise<void> =>
        audit.record({ ...by, kind: 'password-reset.asked', detail, ...(accountId === undefined ? {} : { accountId }) }, trx);
      const account = await trx
        .selectFrom('account')
        .select(['id', 'email', 'status'])
        // Compared with a key that nothing has, a malformed name finds nobody.
        .where('username_key', '=', key ?? '')
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (!account?.email || account.status !== 'active') return asked({ mailed: false }, account?.id);
      const { id: accountId } = account;
      const kind = 'password-reset';
      if ((await outbox.countAsked({ kind, accountId, seconds: MAILS_SECONDS }, trx)) >= MOST_MAILS) {
        return asked({ mailed: false }, accountId);
      }
      await discardSecretsOf({ accountId, purposes: [kind] }, trx);
      const wanted = { purpose: kind, accountId, payload, lifetimeSeconds: MAILED_SECONDS } as const;
      const { secret: token, expiresAt } = await secrets.hand(wanted, trx);
      await outbox.queueRequested({ kind, accountId, values: { token }, locale, expiresAt }, trx);
      return asked({ mailed: true }, accountId);
    });
  }

  /** For a contact person to hand out; earlier links end, and mails that strangers ask for do not end this one. */
  async issue({ id: accountId }: Account, by: AuditContext): Promise<IssuedSecret> {
    const { database, secrets, audit } = this;
    return database.transaction(async (trx) => {
      await trx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
      await discardSecretsOf({ accountId, purposes: PASSWORD_RESETS }, trx);
      const wanted = { purpose: 'password-reset-handed', accountId, lifetimeSeconds: HANDED_SECONDS } as const;
      const issued = await secrets.hand(wanted, trx);
      await audit.record({ ...by, kind: 'password-reset.issued', accountId }, trx);
      return issued;
    });
  }

  /** Spends nothing. */
  async isActive(token: string): Promise<boolean> {
    return (await this.#find(token)) !== null;
  }

  async reset(wanted: PasswordReset): Promise<PasswordResetDone> {
    const { setPassword } = this;
    const active = await this.#find(wanted.token);
    if (!active) return { kind: 'gone' };
    const { account, requestUrl } = active;
    const reasons = setPassword.faultsOf(wanted.password, account.username);
    if (reasons.length > 0) return { kind: 'weak', reasons };
    try {
      const result = await this.#write(active, wanted, await setPassword.hash(wanted.password));
      return result ? { kind: 'done', accountId: account.id, requestUrl } : { kind: 'gone' };
    } catch (error) {
      if (error instanceof HasherBusy) return { kind: 'busy' };
      throw error;
    }
  }

  async #find(token: string): Promise<ActiveReset | null> {
    for (const purpose of PASSWORD_RESETS) {
      const found = await this.secrets.find(purpose, token);
      if (!found) continue;
      const account = found.accountId === null ? null : await this.accounts.find(found.accountId);
      return account?.status === 'active' ? { account, purpose, requestUrl: requestUrlOf(found.payload) } : null;
    }
    return null;
  }

  /** @returns false when another one has spent the token, or the account was disabled, meanwhile */
  async #write({ account, purpose }: ActiveReset, { token, by }: PasswordReset, hash: string): Promise<boolean> {
    const { database, secrets, setPassword, outbox } = this;
    const { id: accountId } = account;
    return database.transaction(async (trx) => {
      const locked = await lockActive(accountId, trx);
      if (!locked || !(await secrets.spend(purpose, token, trx))) return false;
      await setPassword.write({ account: { id: accountId, username: locked.username }, hash, by, kind: 'password.reset' }, trx);
      await endEverySessionOf({ accountId, now: database.now(), upstream: 'everything' }, trx);
      await outbox.queueNotice({ kind: 'password-changed', accountId, by }, trx);
      return true;
    });
  }
}

function requestUrlOf(payload: string | null): string | null {
  return payload === null ? null : (JSON.parse(payload) as { requestUrl: string | null }).requestUrl;
}
