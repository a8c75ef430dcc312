/**
 * Sets a new password with a link that was mailed to the account's address or handed out by a contact person. A reset ends
 * everything that started with the old password, and does not sign the person in (docs/security.md D4).
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { defined } from '../../config/defined.js';
import { randomToken } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import type { PasswordFault } from '../../contract/manage-state.js';
import type { Locale } from '../../contract/locale.js';
import { lockActive } from '../account/lock.js';
import { PasswordElsewhere } from '../account/account.errors.js';
import type { Account } from '../account/account.js';
import { findAccountByNameSql, toTypedEmailKey } from '../account/verified-addresses.js';
import { Accounts } from '../account/accounts.js';
import { AuditLog, type AuditContext, type AuditDetail } from '../audit/audit-log.js';
import { rememberResetDevice } from '../sessions/known-devices.js';
import { endAllSessions } from '../sessions/browser-sessions.js';
import {
  PASSWORD_RESETS,
  discardSecrets,
  OneTimeSecrets,
  type IssuedSecret,
  type NewOneTimeSecret,
  type OneTimePurpose,
} from '../secrets/one-time-secrets.js';
import type { OperatorMailKind } from '../queue/mail-kinds.js';
import { Outbox, type RequestedMail } from '../queue/outbox.js';
import { HasherBusy } from './hasher.js';
import { SetPassword } from './set-password.js';
import { toUsernameKey } from '../account/username.js';

export const MAILED_LINK_SECONDS = 30 * 60;
const OPERATOR_LINK_SECONDS = 24 * 3600;
/** Long enough for a weekend. The link replaces no password: an invitation is mailed only to an account without one. */
const INVITATION_SECONDS = 3 * 24 * 3600;
const MAX_MAILS = 3;
const MAILS_SECONDS = 3600;

export interface ResetRequest {
  username: string;
  /** Whether a verified e-mail address is accepted in place of a username. */
  byEmail: boolean;
  /** Language of the page. If unknown, the mail has the language of the account. */
  locale: Locale | undefined;
  /** Address of the waiting authorization request; null if there is none. */
  requestUrl: string | null;
  auditContext: AuditContext;
}

export interface PasswordReset {
  token: string;
  password: string;
  auditContext: AuditContext;
}

/** `limited`: three such mails were sent within an hour. `has-password`: an invitation is only for accounts without a password. */
export type MailLinkOutcome =
  | { kind: 'queued'; email: string; expiresAt: Date }
  | { kind: 'no-address' | 'limited' | 'has-password' };

/** Whether the account has a password, and until when a link that an operator mailed or handed out works. */
export interface PasswordState {
  hasPassword: boolean;
  linkUntil: Date | null;
}

const FIND_STATE = new Statement<{ account: string }, { has_password: boolean; link_until: Date | null }>(
  'password-reset.state',
  ({ param, now }) => sql`
    select exists (select from password_credential where account_id = ${param('account')}::uuid) as has_password,
      (select max(expires_at) from one_time_secret
        where account_id = ${param('account')}::uuid and purpose = 'password-reset-handed' and expires_at > ${now}) as link_until`,
);

/**
 * `gone`: the token is unknown, used, replaced or expired, or the account was disabled or linked to a source. `weak`: the token stays
 * valid.
 * @member device secret for the known-device cookie of the browser in which the password was set
 */
export type PasswordResetOutcome =
  | { kind: 'done'; accountId: string; requestUrl: string | null; device: string }
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
   * Queues a mail with a link, which replaces the link of an earlier request. If the account cannot have a password in Foyer, the mail
   * states instead where the password can be changed. The result never reveals whether a mail was queued. No mail is queued for an
   * unknown name, a disabled account, an account without an address, or after too many mails.
   */
  async mail({ username, byEmail, locale, requestUrl, auditContext }: ResetRequest): Promise<void> {
    const { database, audit } = this;
    // A malformed name is compared with an empty key, which no account has.
    const ownerId = findAccountByNameSql({
      key: toUsernameKey(username) ?? '',
      email: byEmail ? toTypedEmailKey(username) : null,
    });
    const payload = JSON.stringify({ requestUrl });
    await database.transaction(async (trx) => {
      const recordRequest = (detail: AuditDetail, accountId?: string): Promise<void> =>
        audit.record({ ...auditContext, kind: 'password-reset.asked', detail, ...defined({ accountId }) }, trx);
      const account = await trx
        .selectFrom('account')
        .select(['id', 'email', 'status'])
        .where('id', '=', ownerId)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (!account?.email || account.status !== 'active') return recordRequest({ mailed: false }, account?.id);
      const source = await this.setPassword.findReplacingSource(account.id, trx);
      if (source !== null)
        return recordRequest({ mailed: await this.#queueSourceMail({ accountId: account.id, locale, source }, trx) }, account.id);
      const mail = { kind: 'password-reset', accountId: account.id, locale } as const;
      const link = { purpose: 'password-reset', payload, lifetimeSeconds: MAILED_LINK_SECONDS } as const;
      const expiresAt = await this.#queueLink(mail, { link, replaces: ['password-reset'] }, trx);
      return recordRequest({ mailed: expiresAt !== null }, account.id);
    });
  }

  /**
   * Issues a link for a contact person to hand out. The link replaces earlier links; a mail that a stranger requests does not replace it.
   * @throws PasswordElsewhere, and the error of the condition in `auditContext`
   */
  async issue({ id: accountId }: Account, auditContext: AuditContext): Promise<IssuedSecret> {
    const { database, secrets, audit } = this;
    return database.transaction(async (trx) => {
      await trx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
      await auditContext.condition?.require(trx);
      await this.#requireLocalPassword(accountId, trx);
      await discardSecrets({ accountId, purposes: PASSWORD_RESETS }, trx);
      const link = { purpose: 'password-reset-handed', accountId, lifetimeSeconds: OPERATOR_LINK_SECONDS } as const;
      const issuedSecret = await secrets.issueWithExpiry(link, trx);
      await audit.record({ ...auditContext, kind: 'password-reset.issued', accountId }, trx);
      return issuedSecret;
    });
  }

  /** For an operation that waits for an approval before it calls `issue`. @throws PasswordElsewhere */
  async requireLocalPassword({ id }: Account): Promise<void> {
    await this.database.transaction((trx) => this.#requireLocalPassword(id, trx));
  }

  /**
   * Does not consume the token.
   * @returns the active account of a link; null if the account is disabled, or the link is unknown, used, replaced or expired
   */
  async find(token: string): Promise<ActiveReset | null> {
    for (const purpose of PASSWORD_RESETS) {
      const secret = await this.secrets.find(purpose, token);
      if (!secret) continue;
      const account = secret.accountId === null ? null : await this.accounts.find(secret.accountId);
      return account?.status === 'active' ? { account, purpose, requestUrl: readRequestUrl(secret.payload) } : null;
    }
    return null;
  }

  async findState({ id }: Account): Promise<PasswordState> {
    const [row] = await this.database.run(FIND_STATE, { account: id });
    return { hasPassword: row?.has_password ?? false, linkUntil: row?.link_until ?? null };
  }

  /** Issues a link like `issue`, but mails it to the address of the account and does not return it. @throws PasswordElsewhere */
  async issueByMail({ id: accountId }: Account, kind: OperatorMailKind, auditContext: AuditContext): Promise<MailLinkOutcome> {
    const { database, audit } = this;
    const lifetimeSeconds = kind === 'invitation' ? INVITATION_SECONDS : OPERATOR_LINK_SECONDS;
    return database.transaction(async (trx) => {
      const account = await trx
        .selectFrom('account')
        .leftJoin('password_credential', 'account_id', 'id')
        .select(['email', 'hash'])
        .where('id', '=', accountId)
        .forNoKeyUpdate('account')
        .executeTakeFirst();
      await this.#requireLocalPassword(accountId, trx);
      if (!account?.email) return { kind: 'no-address' };
      if (kind === 'invitation' && account.hash !== null) return { kind: 'has-password' };
      // The payload distinguishes a mailed link from a handed-out link: only a mailed link becomes void when the address changes.
      const payload = JSON.stringify({ requestUrl: null });
      const link = { purpose: 'password-reset-handed', payload, lifetimeSeconds } as const;
      const expiresAt = await this.#queueLink({ kind, accountId }, { link, replaces: PASSWORD_RESETS }, trx);
      if (expiresAt === null) return { kind: 'limited' };
      const event = kind === 'invitation' ? 'account.invited' : 'password-reset.issued';
      await audit.record({ ...auditContext, kind: event, accountId, detail: { mailed: true } }, trx);
      return { kind: 'queued', email: account.email, expiresAt };
    });
  }

  /** @returns the minimum length of a new password of this account, in characters */
  findMinLength({ id }: Account): Promise<number> {
    return this.setPassword.findMinLength(id);
  }

  async reset(request: PasswordReset): Promise<PasswordResetOutcome> {
    const { setPassword } = this;
    const activeReset = await this.find(request.token);
    if (!activeReset) return { kind: 'gone' };
    const { account, requestUrl } = activeReset;
    const reasons = await setPassword.findAccountFaults(account, request.password);
    if (reasons.length > 0) return { kind: 'weak', reasons };
    try {
      const device = await this.#write(activeReset, request, await setPassword.hash(request.password));
      return device === null ? { kind: 'gone' } : { kind: 'done', accountId: account.id, requestUrl, device };
    } catch (error) {
      if (error instanceof HasherBusy) return { kind: 'busy' };
      throw error;
    }
  }

  /** Queues a mail with a link. The account must be locked. @returns when the link expires; null after too many such mails */
  async #queueLink(
    mail: Pick<RequestedMail, 'kind' | 'accountId' | 'locale'>,
    { link, replaces }: { link: NewOneTimeSecret; replaces: readonly OneTimePurpose[] },
    trx: Transaction<Schema>,
  ): Promise<Date | null> {
    const { kind, accountId } = mail;
    if ((await this.outbox.countQueued({ kind, accountId, seconds: MAILS_SECONDS }, trx)) >= MAX_MAILS) return null;
    await discardSecrets({ accountId, purposes: replaces }, trx);
    const { secret: token, expiresAt } = await this.secrets.issueWithExpiry({ ...link, accountId }, trx);
    await this.outbox.queueRequested({ ...mail, values: { token }, expiresAt }, trx);
    return expiresAt;
  }

  /**
   * Queues a mail that states where the password of the account can be changed. The limit is that of links; the mails are counted
   * separately.
   * @returns false after too many such mails
   */
  async #queueSourceMail(
    { source, ...rest }: Pick<RequestedMail, 'accountId' | 'locale'> & { source: string },
    trx: Transaction<Schema>,
  ): Promise<boolean> {
    const mail = { kind: 'password-elsewhere', ...rest } as const;
    if ((await this.outbox.countQueued({ ...mail, seconds: MAILS_SECONDS }, trx)) >= MAX_MAILS) return false;
    await this.outbox.queueRequested({ ...mail, values: { source } }, trx);
    return true;
  }

  /** @throws PasswordElsewhere */
  async #requireLocalPassword(accountId: string, trx: Transaction<Schema>): Promise<void> {
    if ((await this.setPassword.findReplacingSource(accountId, trx)) !== null) throw new PasswordElsewhere();
  }

  /**
   * @returns the secret of the known device; null if the token is no longer valid, or if the account was disabled or linked to a source
   * since the link was found
   */
  async #write(
    { account: { id: accountId }, purpose }: ActiveReset,
    { token, auditContext }: PasswordReset,
    hash: string,
  ): Promise<string | null> {
    const { database, secrets, setPassword, outbox } = this;
    const now = database.now();
    const device = randomToken();
    return database.transaction(async (trx) => {
      const lockedAccount = await lockActive(accountId, trx);
      if (
        !lockedAccount ||
        (await setPassword.findReplacingSource(accountId, trx)) !== null ||
        !(await secrets.spend(purpose, token, trx))
      )
        return null;
      // A link from an operator may have been handed out: it does not prove that the person reads the mailbox.
      const provesAddress = purpose === 'password-reset';
      const account = { id: accountId, username: lockedAccount.username };
      await setPassword.write({ account, hash, auditContext, kind: 'password.reset', provesAddress }, trx);
      await endAllSessions({ accountId, now, upstream: 'everything' }, trx);
      await rememberResetDevice({ accountId, device, now }, trx);
      await outbox.queueNotice({ kind: 'password-changed', accountId, auditContext }, trx);
      return device;
    });
  }
}

function readRequestUrl(payload: string | null): string | null {
  return payload === null ? null : (JSON.parse(payload) as { requestUrl: string | null }).requestUrl;
}
