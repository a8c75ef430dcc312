/**
 * Offers of existing accounts to SCIM sources, made by operators. An offer is valid for 30 days: the source takes the account when it
 * creates a person with the offered `externalId` or, if the offer has none, with the verified address of the account (`scim-offers.ts`).
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { Database } from '../../database/database.js';
import { violatesUnique } from '../../database/failures.js';
import type { Schema } from '../../database/schema.js';
import { interval, Statement } from '../../database/statement.js';
import { AccountNotFound } from '../account/account.errors.js';
import { findSource } from '../account/linked-source.js';
import { lockAccount } from '../account/lock.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { isProvider } from '../../config/stored-sources.js';
import { AccountRights } from '../operators/account-rights.js';
import { toActorText } from '../operators/operator-identity.js';
import { isIdentifier } from './scim-identities.js';
import { positionSql, readTimePage, timeSql, type PageQuery, type Position } from './time-pages.js';

export interface NewOffer {
  accountId: string;
  /** The source, as `source_account` names it. */
  source: string;
  /** If null, the verified address of the account is compared. */
  externalId: string | null;
  auditContext: AuditContext;
}

/**
 * `operator`: the account has rights of an operator. `kept`: the account belongs to a source that is not a provider. `no-address`: the
 * offer has no `externalId`, and the account has no verified address. `format`: the `externalId` is malformed. `taken`: another account
 * of the source has the `externalId`, or another offer names it.
 */
export type OfferOutcome = 'offered' | 'operator' | 'kept' | 'no-address' | 'format' | 'taken';

export interface Offer {
  accountId: string;
  username: string;
  displayName: string;
  externalId: string | null;
  offeredAt: Date;
  /** As in the audit log: `operator`, or `operator:` and a name. */
  offeredBy: string;
  expiresAt: Date;
}

export const OFFER_SECONDS = 30 * 24 * 3600;

const LIST = new Statement<{ source: string; max: number } & Position, Offer & Position>(
  'scim-offer.list',
  ({ param, now }) => sql`
    select o.account_id as "accountId", a.username, a.display_name as "displayName", o.external_id as "externalId",
      o.offered_at as "offeredAt", o.offered_by as "offeredBy", o.expires_at as "expiresAt",
      ${positionSql({ at: sql.ref('o.offered_at'), id: sql.ref('o.account_id') })}
    from scim_offer o join account a on a.id = o.account_id
    where o.source = ${param('source')} and o.expires_at > ${now}
      and (o.offered_at, o.account_id) < (${timeSql(param('micros'))}, ${param('id')}::uuid)
    order by o.offered_at desc, o.account_id desc limit ${param('max')}`,
);

@Injectable()
export class OfferedAccounts {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly rights: AccountRights,
  ) {}

  /** Replaces an earlier offer of the account. @throws AccountNotFound */
  async offer(offer: NewOffer): Promise<OfferOutcome> {
    const { externalId } = offer;
    if (externalId !== null && !isIdentifier(externalId)) return 'format';
    try {
      return await this.database.transaction((trx) => this.#offer(offer, trx));
    } catch (error) {
      if (violatesUnique(error, 'scim_offer_external')) return 'taken';
      throw error;
    }
  }

  /** Does the same as `offer`. @returns `gone` if the account no longer exists */
  async offerIfPresent(offer: NewOffer): Promise<OfferOutcome | 'gone'> {
    try {
      return await this.offer(offer);
    } catch (error) {
      if (error instanceof AccountNotFound) return 'gone';
      throw error;
    }
  }

  /** @returns whether there was an offer @throws AccountNotFound */
  async withdraw(accountId: string, auditContext: AuditContext): Promise<boolean> {
    return this.database.transaction(async (trx) => {
      if (!(await lockAccount(accountId, trx))) throw new AccountNotFound();
      const deletion = trx.deleteFrom('scim_offer').where('account_id', '=', accountId).returning('source');
      const offer = await deletion.executeTakeFirst();
      if (!offer) return false;
      await this.audit.record({ ...auditContext, kind: 'scim.withdrawn', accountId, detail: { source: offer.source } }, trx);
      return true;
    });
  }

  /** @returns the valid offers, newest first */
  async list(source: string, query: PageQuery = {}): Promise<{ offers: Offer[]; nextCursor?: string }> {
    const { rows, ...next } = await readTimePage(query, (page) => this.database.run(LIST, { source, ...page }));
    return { offers: rows, ...next };
  }

  async #offer({ accountId, source, externalId, auditContext }: NewOffer, trx: Transaction<Schema>): Promise<OfferOutcome> {
    if (!(await lockAccount(accountId, trx))) throw new AccountNotFound();
    if (await this.rights.isOperator(accountId, trx)) return 'operator';
    const currentSource = await findSource(accountId, trx);
    if (currentSource !== null && !isProvider(currentSource)) return 'kept';
    if (externalId === null && !(await hasVerifiedAddress(accountId, trx))) return 'no-address';
    if (externalId !== null && (await isExternalIdTaken({ source, externalId }, trx))) return 'taken';
    const now = this.database.now();
    const row = {
      source,
      external_id: externalId,
      offered_at: now,
      offered_by: toActorText(auditContext),
      expires_at: sql<Date>`${now} + ${interval(OFFER_SECONDS)}`,
    };
    // An expired offer that was not removed yet would violate the unique index.
    if (externalId !== null)
      await trx
        .deleteFrom('scim_offer')
        .where('source', '=', source)
        .where('external_id', '=', externalId)
        .where('expires_at', '<=', now)
        .execute();
    await trx
      .insertInto('scim_offer')
      .values({ account_id: accountId, ...row })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
      .execute();
    const detail = { source, ...(externalId === null ? {} : { externalId }) };
    await this.audit.record({ ...auditContext, kind: 'scim.offered', accountId, detail }, trx);
    return 'offered';
  }
}

/** Whether another account of the source has the `externalId`. */
async function isExternalIdTaken(
  { source, externalId }: { source: string; externalId: string },
  trx: Transaction<Schema>,
): Promise<boolean> {
  const rows = trx
    .selectFrom('scim_user')
    .select('account_id')
    .where('source', '=', source)
    .where('external_id', '=', externalId);
  return (await rows.executeTakeFirst()) !== undefined;
}

async function hasVerifiedAddress(accountId: string, trx: Transaction<Schema>): Promise<boolean> {
  const rows = trx.selectFrom('account').select('id').where('id', '=', accountId).where('email', 'is not', null);
  return (await rows.where('email_verified', '=', true).executeTakeFirst()) !== undefined;
}
