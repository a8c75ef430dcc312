/**
 * Checks a consent request in one statement, which can also claim its challenge: whether its session belongs to the browser, the state
 * of its challenge, the earlier grants to the client, and whether the person is still signed in.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Database } from '../../database/database.js';
import { Statement, type Placeholders } from '../../database/statement.js';
import { accountColumns, isAccountId, toAccount, type Account, type AccountFields } from '../account/account.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import { toStoredUpstreamId } from './browser-session-statements.js';
import { isCurrentGrantSql, lastRemovalSql } from './consent-grants.js';
import { claimRecordSql, findRecordSql, type OwnerValues, type RecordRow } from './challenge-record-statements.js';
import { ChallengeRecords, hashOwner, type ChallengeOwner, type ClaimState } from './challenge-records.js';

export interface ConsentCase {
  owner: ChallengeOwner;
  /** The id of the account; another text if no account has the subject (`hydra/subject-translation.ts`). */
  subject: string;
  /** Empty if Hydra has no session id. Then any session of the account in this browser is accepted. */
  upstreamSessionId: string;
  clientId: string;
  /** When the client was registered; null if that is unknown. */
  clientCreatedAt: string | null;
  /** Whether the browser has sent the cookie of the session. */
  hasSessionCookie: boolean;
}

export type ConsentCheck =
  | { isOwn: false }
  /** `consenter`: null if the account is unknown or may not sign in, or its session has ended. */
  | { isOwn: true; record: ClaimState; consenter: Consenter | null };

export interface Consenter {
  account: Account;
  securityStamp: string;
  /** Scopes that the person has granted to the client. */
  grantedScopes: readonly string[];
  /** When the access of the client, or of all clients, was last removed; null if it never was. Only for comparison. */
  lastRemoval: string | null;
}

type CaseValues = OwnerValues & {
  account: string | null;
  upstream: string | null;
  proven: boolean;
  client: string;
  createdAt: string | null;
};
type Row = AccountFields & RecordRow & Record<'owned' | 'signed_in' | 'recorded', boolean> & GrantColumns;
type GrantColumns = { security_stamp: string; granted_scopes: string[]; removal: string | null };

/** @param record reads or creates the record; it may use `browser.owned`: whether the session belongs to the browser */
function buildConsentSql({ param, now }: Placeholders<CaseValues>, record: RawBuilder<RecordRow>): RawBuilder<Row> {
  return sql<Row>`
    with person as (
      select ${accountColumns('a')}, ${SECURITY_STAMP} as security_stamp, array(
        select g.scope from consent_grant g
        where g.account_id = a.id and g.client_id = ${param('client')} and g.expires_at > ${now}
          and ${isCurrentGrantSql({ createdAt: param('createdAt') })}) as granted_scopes,
        ${lastRemovalSql(sql`a.id`, { client: param('client') })} as removal
      from account a where a.id = ${param('account')}::uuid and a.status = 'active'
    ), named as (
      select s.browser_hash from browser_session s join person on person.id = s.account_id
      where s.upstream_session_id = ${param('upstream')}::text and s.expires_at > ${now}
    ), browser as (
      select case when ${param('upstream')}::text = '' then exists (
          select from browser_session s join person on person.id = s.account_id
          where s.browser_hash = ${param('browser')} and s.expires_at > ${now})
        else ${param('proven')}::boolean or exists (select from named where browser_hash = ${param('browser')}) end as owned
    ), record as (${record})
    select browser.owned, exists (select from named) or (person.id is not null and ${param('upstream')}::text = '') as signed_in,
      record.own is not null as recorded, record.*, person.*
    from browser left join record on true left join person on true`;
}

const FIND = new Statement<CaseValues, Row>('consent.find', (placeholders) => {
  const { param, now } = placeholders;
  return buildConsentSql(
    placeholders,
    findRecordSql({ kind: param('kind'), challenge: param('challenge'), browser: param('browser'), now }),
  );
});

const CLAIM = new Statement<CaseValues & { lifetimeSeconds: number }, Row>('consent.claim', (placeholders) => {
  const { param, now } = placeholders;
  const owner = { kind: param('kind'), challenge: param('challenge'), browser: param('browser') };
  return buildConsentSql(
    placeholders,
    claimRecordSql({ ...owner, lifetimeSeconds: param('lifetimeSeconds'), now }, sql`(select owned from browser)`),
  );
});

@Injectable()
export class ConsentRecords {
  constructor(
    private readonly database: Database,
    private readonly records: ChallengeRecords,
  ) {}

  /** Checks the request without claiming its challenge. */
  async find(request: ConsentCase): Promise<ConsentCheck> {
    return this.#read(await this.database.run(FIND, toValues(request)));
  }

  /** Claims the challenge like `ChallengeRecords.claim`, but only for a session that belongs to the browser. */
  async claim(request: ConsentCase, lifetimeSeconds: number): Promise<ConsentCheck> {
    return this.#read(await this.database.run(CLAIM, { ...toValues(request), lifetimeSeconds }));
  }

  #read([row]: Row[]): ConsentCheck {
    if (!row?.owned) return { isOwn: false };
    const { security_stamp: securityStamp, granted_scopes: grantedScopes, removal: lastRemoval } = row;
    const consenter = row.signed_in ? { account: toAccount(row), securityStamp, grantedScopes, lastRemoval } : null;
    return { isOwn: true, record: this.records.toState(row.recorded ? row : null), consenter };
  }
}

function toValues(request: ConsentCase): CaseValues {
  const { owner, subject, upstreamSessionId, clientId, clientCreatedAt: createdAt, hasSessionCookie: proven } = request;
  return {
    ...hashOwner(owner),
    client: clientId,
    createdAt,
    account: isAccountId(subject) ? subject : null,
    upstream: toStoredUpstreamId(upstreamSessionId),
    proven,
  };
}
