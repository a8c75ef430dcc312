/**
 * "That was not me": the link in a notice disables access to the account. It ends all sessions, removes the password, the passkeys
 * and recently connected providers, discards pending links and codes, cancels a deletion and freezes the credentials. The way back
 * is a mail to the account's own address, so that a stolen or forwarded link gives no access. If the address was replaced in the
 * account area or during a sign-in, a link in the former mailbox restores the former address first (`former-emails.ts`).
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { FormerEmails, type FormerEmail } from '../account/former-emails.js';
import { lockActive } from '../account/lock.js';
import { findSource } from '../account/linked-source.js';
import { removeDeletion } from './account-deletions.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { endAllSessions } from '../sessions/browser-sessions.js';
import { freezeCredentials } from '../account/credential-freeze.js';
import { PASSWORD_RESETS, discardFactorSecrets, discardSecrets, OneTimeSecrets } from '../secrets/one-time-secrets.js';
import { hasPasswordHere } from '../../config/stored-sources.js';
import { removeRecentIdentities } from '../identities/identity-rows.js';
import { NOT_ME_SECONDS, Outbox } from '../queue/outbox.js';
import { MAILED_LINK_SECONDS } from '../password/resets.js';

/** Secrets that an attacker may have requested. */
const PENDING_PURPOSES = [
  ...PASSWORD_RESETS,
  'factor-reset',
  'provider-connect',
  'account-choice',
  'proof-code',
  'email-change',
  'support-code',
  'support-page',
  'sign-in-code',
] as const;

/** A link that still works. */
export interface NotMeLink {
  kind: 'valid';
  accountId: string;
  /** The kind of the notice that contained the link; `own-email-changed` for every link that restores a former address. */
  mail: string;
  /** The address that the link restores. */
  formerEmail?: FormerEmail;
}

/**
 * `used`: the account is already secured, because one of its links was used before. `gone`: the link is unknown, expired or void,
 * or the account is not active.
 */
export type SecureOutcome = { kind: 'done'; accountId: string } | { kind: 'used' } | { kind: 'gone' };

@Injectable()
export class SecureAccount {
  constructor(
    private readonly database: Database,
    private readonly secrets: OneTimeSecrets,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
    private readonly formerEmails: FormerEmails,
    @Inject(CONFIG) private readonly config: Pick<Config, 'manage' | 'scim'>,
  ) {}

  /** Does not consume the token. */
  async find(token: string, trx?: Transaction<Schema>): Promise<NotMeLink | { kind: 'used' | 'gone' }> {
    const { secrets } = this;
    const notice = await secrets.find('not-me', token, trx);
    if (notice?.accountId) return { kind: 'valid', accountId: notice.accountId, mail: notice.payload ?? '' };
    if (await secrets.find('not-me-used', token, trx)) return { kind: 'used' };
    const link = await secrets.find('email-restore', token, trx);
    const formerEmail = link && (await this.formerEmails.find(link, trx));
    if (!link?.accountId || !formerEmail) return { kind: 'gone' };
    return formerEmail.isEnded
      ? { kind: 'used' }
      : { kind: 'valid', accountId: link.accountId, mail: 'own-email-changed', formerEmail };
  }

  /** Takes effect once, even for concurrent requests. */
  async secure(token: string, auditContext: AuditContext): Promise<SecureOutcome> {
    const result = await this.find(token);
    if (result.kind !== 'valid') return { kind: result.kind };
    const { accountId } = result;
    return this.database.transaction(async (trx): Promise<SecureOutcome> => {
      if (!(await lockActive(accountId, trx))) return { kind: 'gone' };
      // Checked again while the account is locked, so that the second of two clicks gets `used`.
      const link = await this.find(token, trx);
      if (link.kind !== 'valid') return { kind: link.kind };
      if (link.formerEmail) await this.formerEmails.restore({ accountId, former: link.formerEmail, auditContext }, trx);
      await this.#disable(link, auditContext, trx);
      return { kind: 'done', accountId };
    });
  }

  async #disable(link: NotMeLink, auditContext: AuditContext, trx: Transaction<Schema>): Promise<void> {
    const { accountId, mail, formerEmail } = link;
    const { database, secrets, audit, outbox } = this;
    const { freezeSeconds } = this.config.manage;
    const now = database.now();
    // Makes the links of all earlier notices void, except those that can still restore a former address: an older link must not
    // remove the password that the owner sets next.
    await trx
      .updateTable('one_time_secret')
      .set({ purpose: 'not-me-used' })
      .where('account_id', '=', accountId)
      .where('purpose', '=', 'not-me')
      .execute();
    await discardSecrets({ accountId, purposes: PENDING_PURPOSES }, trx);
    await discardFactorSecrets(accountId, trx);
    // An attacker may know the password.
    await trx.deleteFrom('password_credential').where('account_id', '=', accountId).execute();
    // A passkey signs in without the password, and an attacker may have registered one or may hold the device.
    await trx.deleteFrom('passkey').where('account_id', '=', accountId).execute();
    // A provider that the attacker connected would still give access after a new password. Its notice contained a link, so all
    // providers that were connected within the lifetime of a link are removed, except the provider that provisioned the account.
    const removedProviders = await removeRecentIdentities({ accountId, now, seconds: NOT_ME_SECONDS }, trx);
    await freezeCredentials({ accountId, now, seconds: freezeSeconds }, trx);
    // An attacker may have requested the deletion.
    await removeDeletion(accountId, { audit, auditContext, way: 'not-me' }, trx);
    const sessions = await endAllSessions({ accountId, now, upstream: 'everything' }, trx);
    const source = await findSource(accountId, trx);
    const resetLink = {
      purpose: 'password-reset',
      accountId,
      payload: NO_REQUEST,
      lifetimeSeconds: MAILED_LINK_SECONDS,
    } as const;
    const values = {
      ...(source !== null && !hasPasswordHere(source, this.config) ? { source } : { token: await secrets.issue(resetLink, trx) }),
      ...(formerEmail && { emailRestored: 1 }),
    };
    await outbox.queueRequested({ kind: 'account-secured', accountId, values, auditContext }, trx);
    const optionalDetail = {
      ...(removedProviders.length > 0 && { providers: removedProviders.join(',') }),
      ...(formerEmail && { emailRestored: true }),
    };
    await audit.record(
      { ...auditContext, kind: 'account.secured', accountId, detail: { mail, sessions, freezeSeconds, ...optionalDetail } },
      trx,
    );
  }
}

/** After the reset, no pending sign-in continues. */
const NO_REQUEST = JSON.stringify({ requestUrl: null });
