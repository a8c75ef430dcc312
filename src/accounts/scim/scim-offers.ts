/**
 * Lets a SCIM source take an existing account that an operator has offered, when the source creates its person (docs/scim.md).
 * `offered-accounts.ts` writes the offers.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { toEmailKey } from '../account/fields.js';
import { lockAccount } from '../account/lock.js';
import { isProvider } from '../../config/stored-sources.js';
import { AccountRights } from '../operators/account-rights.js';
import { PASSWORD_RESETS, discardSecrets } from '../secrets/one-time-secrets.js';
import { endAllSessions } from '../sessions/browser-sessions.js';
import { findEmail } from './scim-values.js';
import type { ScimResource } from './scim-resource.js';
import { notUnique } from './scim-refused.js';

/** An offer with an `externalId` is valid only for this id. For an offer without one, the verified address of the account is compared. */
const FIND = new Statement<{ source: string; externalId: string | null; email: string | null }, { id: string }>(
  'scim-offer.find',
  ({ param, now }) => sql`
    select o.account_id as id from scim_offer o
    where o.source = ${param('source')} and o.external_id = ${param('externalId')}::text and o.expires_at > ${now}
    union all
    select a.id from account a join scim_offer o on o.account_id = a.id
    where a.email_key = ${param('email')}::text and a.email_verified
      and o.source = ${param('source')} and o.external_id is null and o.expires_at > ${now}
    limit 2`,
);

@Injectable()
export class ScimOffers {
  constructor(
    private readonly database: Database,
    private readonly rights: AccountRights,
  ) {}

  /** @returns the id of the account that the source may take for this person; null if there is none, or more than one */
  async find(source: string, resource: ScimResource, trx?: Transaction<Schema>): Promise<string | null> {
    const email = findEmail(resource);
    const externalId = typeof resource['externalId'] === 'string' ? resource['externalId'] : null;
    const values = { source, externalId, email: email === undefined ? null : toEmailKey(email) };
    const offers = await this.database.run(FIND, values, trx);
    return offers.length === 1 ? (offers[0]?.id ?? null) : null;
  }

  /**
   * Uses up an offer, in the transaction that links the account. The link to the provider that created the account ends; the identity
   * at the provider stays. The password is removed unless `keepsPassword` is true. All sessions end.
   * @throws ScimRefused if the source may no longer take the account for this person
   */
  async take(
    {
      accountId,
      source,
      resource,
      keepsPassword,
    }: { accountId: string; source: string; resource: ScimResource; keepsPassword: boolean },
    trx: Transaction<Schema>,
  ): Promise<void> {
    const now = this.database.now();
    const account = await lockAccount(accountId, trx);
    const offeredId = await this.find(source, resource, trx);
    const link = trx.selectFrom('source_account').select('source').where('account_id', '=', accountId);
    const currentLink = await link.executeTakeFirst();
    const isOperator = await this.rights.isOperator(accountId, trx);
    // The account or the offer may have changed in the meantime.
    if (!account || offeredId !== accountId || isOperator || (currentLink && !isProvider(currentLink.source)))
      throw notUnique('externalId', 'is taken');
    await trx.deleteFrom('scim_offer').where('account_id', '=', accountId).execute();
    await trx.deleteFrom('source_account').where('account_id', '=', accountId).execute();
    await trx.deleteFrom('source_name').where('account_id', '=', accountId).execute();
    if (!keepsPassword) {
      await trx.deleteFrom('password_credential').where('account_id', '=', accountId).execute();
      await discardSecrets({ accountId, purposes: PASSWORD_RESETS }, trx);
    }
    await endAllSessions({ accountId, now, upstream: 'sessions' }, trx);
  }
}
