/**
 * Identities with which people sign in at providers. An identity is (issuer, subject), never an e-mail address. An identity
 * may be connected to several accounts; an account has at most one identity of each provider.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { endAccess, SECURITY_STAMP } from '../account/security-stamp.js';
import { lockAccount, lockActive, type ChangingSession } from '../account/lock.js';
import { accountColumns, toAccount, type Account } from '../account/account.js';
import { countFactorsSql, type FactorCounts } from '../account/factor-counts.js';
import type { LinkedCandidate } from '../account/linked-source.js';
import { endInOtherBrowsers } from '../sessions/browser-sessions.js';
import { forgetFederatedSignIns } from '../sessions/sign-in-records.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { requireNotFrozen } from '../account/credential-freeze.js';
import { discardFactorSecrets } from '../secrets/one-time-secrets.js';
import { Outbox } from '../queue/outbox.js';
import { cutLabel, insertIdentity, type Identity } from './identity-rows.js';
import { isNeverQueried } from '../../config/stored-sources.js';
import { LastSignInMethod, canSignIn, type OfferedMethods } from './sign-in-methods.js';

export type { Identity } from './identity-rows.js';

/** An account that this identity may sign in to. */
export interface ConnectedAccount {
  account: Account;
  identityId: string;
  /** A session that starts with this proof must present it; see `account/security-stamp.ts`. */
  securityStamp: string;
  factors: FactorCounts;
  /** The user source of the account, which has to be queried before the person is signed in; null if there is none. */
  linkedSource: (LinkedCandidate & { lookedUpAt: Date }) | null;
}

export interface Connection {
  provider: string;
  issuer: string;
  subject: string;
  label: string | null;
  connectedAt: Date;
  lastUsedAt: Date | null;
}

export interface NewConnection {
  accountId: string;
  provider: string;
  /** Display name of the provider, for the notice. */
  providerName: string;
  identity: Identity & { label: string | null };
  /** Session of the account area in which connecting started; checked again under the account's lock. */
  manageSession?: ChangingSession;
  auditContext: AuditContext;
}

export interface Disconnection {
  accountId: string;
  provider: string;
  providerName: string;
  auditContext: AuditContext;
  /** As in `NewConnection`; absent for an operator. */
  manageSession?: ChangingSession;
  /** If null, the last sign-in method may be removed too, because an operator can provide a new one. */
  offeredMethods: OfferedMethods | null;
}

interface ConnectedRow extends LinkedCandidate {
  identity_id: string;
  factors: FactorCounts;
  looked_up_at: Date;
}

/** More accounts than any person has. Limits the page that lists them. */
const MAX_ACCOUNTS = 50;

const FIND_ACCOUNTS = new Statement<Record<'issuer' | 'subject' | 'client', string>, ConnectedRow>(
  'external-identity.accounts-of',
  ({ param, now }) => sql`
    select ${accountColumns('a')}, e.id as identity_id, ${SECURITY_STAMP} as security_stamp,
      ${countFactorsSql(sql.ref('a.id'))} as factors,
      s.source, s.subject as source_subject, s.profile as source_profile, false as frozen, ${now} as looked_up_at
    from external_identity e
      join account a on a.id = e.account_id and a.status = 'active'
      left join source_account s on s.account_id = a.id
      left join provider_choice c on c.issuer = e.issuer and c.subject = e.subject and c.account_id = e.account_id
        and c.client_id = ${param('client')}
    where e.issuer = ${param('issuer')} and e.subject = ${param('subject')}
    order by c.account_id is null, e.connected_at, e.id
    limit ${MAX_ACCOUNTS}`,
);

const MARK_USED = new Statement<Record<'issuer' | 'subject' | 'account' | 'client', string> & { label: string | null }, never>(
  'external-identity.used',
  ({ param, now }) => sql`
    with used_identity as (
      update external_identity set last_used_at = ${now}, label = coalesce(${param('label')}::text, label)
      where issuer = ${param('issuer')} and subject = ${param('subject')} and account_id = ${param('account')}
      returning issuer, subject, account_id
    )
    insert into provider_choice (issuer, subject, client_id, account_id)
    select issuer, subject, ${param('client')}::text, account_id from used_identity
    on conflict (issuer, subject, client_id) do update set account_id = excluded.account_id`,
);

@Injectable()
export class ExternalIdentities {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly outbox: Outbox,
  ) {}

  /** Finds active accounts only. The account that was last used with this client comes first. */
  async findAccounts({ issuer, subject }: Identity, clientId: string): Promise<ConnectedAccount[]> {
    const rows = await this.database.run(FIND_ACCOUNTS, { issuer, subject, client: clientId });
    return rows.map((row) => ({
      account: toAccount(row),
      identityId: row.identity_id,
      securityStamp: row.security_stamp,
      factors: row.factors,
      // A provider is not queried, because people sign in at this provider or at another provider that they have connected (decision 0048).
      // A SCIM source cannot be queried.
      linkedSource: row.source === null || isNeverQueried(row.source) ? null : { ...row, lookedUpAt: row.looked_up_at },
    }));
  }

  /** Records that the account was used with this client. @param label current label at the provider */
  async markUsed(identity: Identity & { label: string | null }, use: { accountId: string; clientId: string }): Promise<void> {
    const { issuer, subject, label } = identity;
    const values = { issuer, subject, account: use.accountId, client: use.clientId, label: cutLabel(label) };
    await this.database.run(MARK_USED, values);
  }

  async list(accountId: string): Promise<Connection[]> {
    const rows = await this.database.db
      .selectFrom('external_identity')
      .select(['provider', 'issuer', 'subject', 'label', 'connected_at', 'last_used_at'])
      .where('account_id', '=', accountId)
      .orderBy('connected_at')
      .execute();
    return rows.map((row) => ({
      provider: row.provider,
      issuer: row.issuer,
      subject: row.subject,
      label: row.label,
      connectedAt: row.connected_at,
      lastUsedAt: row.last_used_at,
    }));
  }

  /**
   * @returns `same`: already connected; `other`: the account has another identity of this provider; `gone`: the account
   * is not active
   * @throws CredentialsFrozen, ChangeRefused
   */
  async connect(connection: NewConnection): Promise<'connected' | 'same' | 'other' | 'gone'> {
    const { accountId, provider, providerName, identity, manageSession, auditContext } = connection;
    const { database, audit, outbox } = this;
    return database.transaction(async (trx) => {
      if (!(await lockActive(accountId, trx))) return 'gone';
      // The person may have spent minutes at the provider.
      await manageSession?.require(trx);
      await requireNotFrozen({ accountId, now: database.now() }, trx);
      const wasInserted = await insertIdentity({ accountId, provider, ...identity, now: database.now() }, trx);
      if (!wasInserted) return (await this.#isConnected(connection, trx)) ? 'same' : 'other';
      await audit.record({ ...auditContext, kind: 'provider.connected', accountId, detail: { provider } }, trx);
      await outbox.queueNotice({ kind: 'provider-connected', accountId, values: { provider: providerName }, auditContext }, trx);
      return 'connected';
    });
  }

  /**
   * Removes the connection to a provider, so that an attacker who connected a provider loses access. Also ends pending sign-ins
   * through any provider, the sessions that other browsers started through this provider, in Foyer and at Hydra, and the manage
   * sessions of other browsers in which the person is then not signed in.
   * @param browser fingerprint of the browser whose sessions continue
   * @returns false if the provider was not connected
   * @throws LastSignInMethod (also for the provider that provisioned the account), CredentialsFrozen, ChangeRefused
   */
  async disconnect({ manageSession, ...disconnection }: Disconnection, browser = ''): Promise<boolean> {
    const { database, audit, outbox } = this;
    const { accountId, provider, providerName, auditContext, offeredMethods } = disconnection;
    // The value is part of a URL; PostgreSQL rejects NUL.
    if (provider.includes('\u0000')) return false;
    return database.transaction(async (trx) => {
      await lockAccount(accountId, trx);
      if (auditContext.actor === 'person') await requireNotFrozen({ accountId, now: database.now() }, trx);
      await manageSession?.require(trx);
      const removedIdentity = await trx
        .deleteFrom('external_identity')
        .where('account_id', '=', accountId)
        .where('provider', '=', provider)
        .returning(['issuer', 'subject'])
        .executeTakeFirst();
      if (!removedIdentity) return false;
      const { issuer, subject } = removedIdentity;
      // Only an operator ends the link of a provisioned account: otherwise people who left the organisation of the provider could stay.
      const provisionedLink = await trx
        .deleteFrom('source_account')
        .where((eb) => eb.and({ account_id: accountId, source: issuer, subject }))
        .returning('account_id')
        .executeTakeFirst();
      if (offeredMethods !== null && (provisionedLink || !(await canSignIn(accountId, offeredMethods, trx))))
        throw new LastSignInMethod();
      await trx
        .deleteFrom('provider_choice')
        .where((eb) => eb.and({ account_id: accountId, issuer, subject }))
        .execute();
      await this.#endSignInsAndSessions({ accountId, provider, browser }, trx);
      await endAccess({ accountId, now: database.now() }, trx);
      await audit.record({ ...auditContext, kind: 'provider.disconnected', accountId, detail: { provider } }, trx);
      const sourceEvent = { ...auditContext, kind: 'source.disconnected', accountId, detail: { source: issuer } } as const;
      if (provisionedLink) await audit.record(sourceEvent, trx);
      const notice = { kind: 'provider-disconnected', accountId, values: { provider: providerName }, auditContext } as const;
      await outbox.queueNotice(notice, trx);
      return true;
    });
  }

  async #endSignInsAndSessions(
    { accountId, provider, browser }: { accountId: string; provider: string; browser: string },
    trx: Transaction<Schema>,
  ): Promise<void> {
    const isFederated = sql<boolean>`'fed' = any(amr)`;
    // Also ends the set-up of a first factor, with which an attacker could lock the owner out.
    await forgetFederatedSignIns(accountId, trx);
    await discardFactorSecrets(accountId, trx, ['setup']);
    // `provider` is null where the registration service vouched for the person.
    const isThroughProvider = sql<boolean>`(provider = ${provider} or (provider is null and ${isFederated}))`;
    await endInOtherBrowsers({ accountId, browserHash: browser, now: this.database.now(), condition: isThroughProvider }, trx);
    // An access token opens the account area in any browser, so only sessions in browsers that are signed in continue.
    await sql`
      update manage_session m set ended_at = ${this.database.now()}
      where account_id = ${accountId} and ended_at is null and entry_browser_hash <> ${browser} and not exists (
        select from browser_session s where s.account_id = m.account_id and s.browser_hash = m.entry_browser_hash)`.execute(trx);
  }

  async #isConnected({ accountId, provider, identity }: NewConnection, trx: Transaction<Schema>): Promise<boolean> {
    const row = await trx
      .selectFrom('external_identity')
      .select('id')
      .where('account_id', '=', accountId)
      .where('provider', '=', provider)
      .where('issuer', '=', identity.issuer)
      .where('subject', '=', identity.subject)
      .executeTakeFirst();
    return row !== undefined;
  }
}
