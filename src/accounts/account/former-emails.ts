/**
 * Decides what happens to links and codes that were mailed to an address when the account gets another address. They become
 * void, with one exception: a change by the person may have been made by a thief, so the "that was not me" links in the
 * former mailbox can restore the former address for a week (docs/decisions/0056).
 */
import { Injectable } from '@nestjs/common';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { interval, Statement } from '../../database/statement.js';
import type { AuditContext } from '../audit/audit-log.js';
import { NOT_ME_SECONDS, Outbox } from '../queue/outbox.js';
import { discardFactorSecrets, discardMailedLink, discardSecrets } from '../secrets/one-time-secrets.js';
import { toEmailKey } from './fields.js';
import { discardSupportCheck } from './security-stamp.js';
import { VerifiedAddresses } from './verified-addresses.js';

export interface EmailChange {
  accountId: string;
  /** Null removes the address. */
  email: string | null;
  /** True for a change by the owner, in the account area or during a sign-in; absent for a change by an operator or a source. */
  isOwn?: boolean | undefined;
  auditContext: AuditContext;
}

export interface FormerEmail {
  id: number;
  email: string;
  isVerified: boolean;
  /** This address or an older address was restored, so the link no longer works. */
  isEnded: boolean;
}

/** Secrets that are mailed to an address, and become void when the account gets another address. */
const MAILED_PURPOSES = [
  'password-reset',
  'proof-code',
  'email-change',
  'account-keep',
  'support-code',
  'support-page',
  'sign-in-code',
] as const;

/** Finds nothing if the current address of the account was set by an operator or a source. */
const FIND = new Statement<{ id: string; account: string }, FormerEmail>(
  'former-email.find',
  ({ param, now }) => sql`
    select f.id, f.email, f.email_verified as "isVerified", f.ended_at is not null as "isEnded"
    from former_email f join account a on a.id = f.account_id
    where f.id = ${param('id')}::bigint and f.account_id = ${param('account')} and f.expires_at > ${now}
      and (f.ended_at is not null or a.email = (
        select l.successor from former_email l where l.account_id = f.account_id and l.ended_at is null order by l.id desc limit 1))`,
);

@Injectable()
export class FormerEmails {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly outbox: Outbox,
    private readonly addresses: VerifiedAddresses,
  ) {}

  /** Locks the account. Must run before the new address is written, in the same transaction. */
  async prepareChange(change: EmailChange, trx: Transaction<Schema>): Promise<void> {
    const { accountId, email, isOwn = false, auditContext } = change;
    const columns = ['email', 'email_verified'] as const;
    const oldAccount = await trx.selectFrom('account').select(columns).where('id', '=', accountId).forUpdate().executeTakeFirst();
    await discardSecrets({ accountId, purposes: MAILED_PURPOSES }, trx);
    await discardMailedLink(accountId, trx);
    await discardFactorSecrets(accountId, trx);
    // A person who reads the former mailbox may have passed the check.
    if (oldAccount && oldAccount.email !== email) await discardSupportCheck(accountId, trx);
    if (isOwn && email !== null && oldAccount?.email && oldAccount.email !== email) {
      const former = { email: oldAccount.email, isVerified: oldAccount.email_verified, successor: email };
      return this.#keepLinks({ accountId, former, auditContext }, trx);
    }
    await discardSecrets({ accountId, purposes: ['not-me', 'email-restore'] }, trx);
    await trx.deleteFrom('former_email').where('account_id', '=', accountId).execute();
    // The notice has no link, because the old mailbox may have another owner by now.
    if (oldAccount?.email && oldAccount.email !== email)
      await this.outbox.queueNotice({ kind: 'email-changed', accountId, hasLink: false }, trx);
  }

  /**
   * Finds the former address to which a secret `email-restore` belongs. The address can be restored unless `isEnded` is true.
   * @returns null after a week, after an operator or a source has changed the address, after the address was removed, and for a
   * secret without account or payload
   */
  async find(
    { accountId, payload }: { accountId: string | null; payload: string | null },
    trx?: Transaction<Schema>,
  ): Promise<FormerEmail | null> {
    if (accountId === null || payload === null) return null;
    return (await this.database.run(FIND, { id: payload, account: accountId }, trx))[0] ?? null;
  }

  /** Lists the former addresses of the last week, newest first, including those that can no longer be restored. */
  list(accountId: string): Promise<{ email: string; email_verified: boolean; expires_at: Date }[]> {
    return this.database.db
      .selectFrom('former_email')
      .select(['email', 'email_verified', 'expires_at'])
      .where('account_id', '=', accountId)
      .where('expires_at', '>', this.database.now())
      .orderBy('id', 'desc')
      .execute();
  }

  /**
   * Restores a former address. Links that restore this or a later address become void; links that restore an earlier address keep
   * working. The account must be locked.
   */
  async restore(
    { accountId, former, auditContext }: { accountId: string; former: FormerEmail; auditContext: AuditContext },
    trx: Transaction<Schema>,
  ): Promise<void> {
    const now = this.database.now();
    const { id, email, isVerified } = former;
    await discardSecrets({ accountId, purposes: MAILED_PURPOSES }, trx);
    await discardMailedLink(accountId, trx);
    await trx
      .updateTable('former_email')
      .set({ ended_at: now })
      .where('account_id', '=', accountId)
      .where('id', '>=', id)
      .where('ended_at', 'is', null)
      .execute();
    await trx
      .updateTable('account')
      .set({ email, email_key: toEmailKey(email), email_verified: false, updated_at: now })
      .where('id', '=', accountId)
      .execute();
    // The confirmation has no effect where people sign in with addresses and another account has verified this address since.
    if (isVerified) await this.addresses.confirm({ accountId, auditContext }, trx);
  }

  async #keepLinks(
    {
      accountId,
      former,
      auditContext,
    }: { accountId: string; former: Omit<FormerEmail, 'id' | 'isEnded'> & { successor: string } } & {
      auditContext: AuditContext;
    },
    trx: Transaction<Schema>,
  ): Promise<void> {
    const { email, isVerified, successor } = former;
    const expiresAt = sql<Date>`${this.database.now()} + ${interval(NOT_ME_SECONDS)}`;
    const { id } = await trx
      .insertInto('former_email')
      .values({ account_id: accountId, email, email_verified: isVerified, successor, expires_at: expiresAt })
      .returning('id')
      .executeTakeFirstOrThrow();
    await this.outbox.queueNotice({ kind: 'own-email-changed', accountId, auditContext }, trx);
    // The links of earlier notices are in the same mailbox: they restore the address too, so that no reset link is mailed to the
    // new address.
    await trx
      .updateTable('one_time_secret')
      .set({ purpose: 'email-restore', payload: this.keys.seal('one-time-payload', String(id)) })
      .where('account_id', '=', accountId)
      .where('purpose', '=', 'not-me')
      .execute();
  }
}

/** Selects all former addresses that a link can still restore. */
export function selectRestorableEmails(now: RawBuilder<Date>, db: Kysely<Schema>) {
  return db.selectFrom('former_email as f').where('f.ended_at', 'is', null).where('f.expires_at', '>', now);
}
