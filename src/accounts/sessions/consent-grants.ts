/**
 * Stores the scopes that people have granted to apps, so that a later consent page asks only for new scopes. A later request for fewer
 * scopes does not remove a grant; refusing a granted scope does. From its last use on, a grant lasts as long as Hydra remembers a consent.
 * Everything that revokes consents at Hydra also ends Foyer's grants and stores a removal, because a redirect that was under way at that
 * time restores the consent at Hydra. If a client is registered again with the same id, it has none of the earlier grants.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { interval, Statement, type Placeholders } from '../../database/statement.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import { AuditLog, toEventValues, type AuditEvent } from '../audit/audit-log.js';
import { buildEventColumns, insertEvent, type EventValues } from '../audit/insert-event.js';
import { finishRecordSql, type OwnerValues } from './challenge-record-statements.js';
import { ChallengeRecords, hashOwner, type ChallengeOwner } from './challenge-records.js';

/** Matches every scope of RFC 6749, section 3.3, that is short enough for an index. The consent page asks for any other scope each time. */
const STORABLE_SCOPE = /^[\x21-\x7e]{1,500}$/;

/** The changes of one answer to a consent request. A scope is in at most one of the lists. */
export interface GrantChange {
  accountId: string;
  clientId: string;
  /** When the client was registered; null if that is unknown. */
  clientCreatedAt: string | null;
  /** Security stamp of the account when its grants were read. */
  securityStamp: string;
  /** `lastRemoval` of the person when the grants were read; see `consent-records.ts`. */
  lastRemoval: string | null;
  /** Scopes that the person granted now. */
  addedScopes: readonly string[];
  /** Scopes that were granted before and are used again. */
  usedScopes: readonly string[];
  /** Scopes that were granted before and refused now. */
  refusedScopes: readonly string[];
  lifetimeSeconds: number;
}

export interface ConsentGrant {
  clientId: string;
  scope: string;
  grantedAt: Date;
  clientCreatedAt: Date | null;
}

/** What a person has granted to an app. */
export interface GrantingPerson {
  accountId: string;
  username: string;
  displayName: string;
  scopes: string[];
  /** Time of the first of these grants. */
  grantedAt: Date;
  /** The latest expiry of these grants. */
  expiresAt: Date;
}

interface PeopleRow {
  account_id: string;
  username: string;
  display_name: string;
  scopes: string[];
  granted_at: Date;
  expires_at: Date;
}

type ChangeValues = EventValues & {
  owner: string;
  client: string;
  createdAt: string | null;
  stamp: string;
  removal: string | null;
  addedScopes: string[];
  usedScopes: string[];
  refusedScopes: string[];
  lifetimeSeconds: number;
};

/** The id of a client, and when it was registered; null if that is unknown. */
type Client = Record<'client', RawBuilder<string>> & Record<'createdAt', RawBuilder<string | null>>;

/** Whether a grant `g` belongs to the client as it is registered now; the same rule as `isCurrentGrant`. */
export function isCurrentGrantSql({ createdAt }: Pick<Client, 'createdAt'>): RawBuilder<boolean> {
  return sql`(${createdAt}::timestamptz is null or coalesce(g.client_created_at = ${createdAt}::timestamptz, g.granted_at >= ${createdAt}::timestamptz))`;
}

/**
 * Rows of earlier gateways do not contain the time of registration.
 * @param createdAt when the client was registered; undefined if that is unknown
 */
export function isCurrentGrant({ clientCreatedAt, grantedAt }: ConsentGrant, createdAt: string | undefined): boolean {
  if (createdAt === undefined) return true;
  const time = Date.parse(createdAt);
  return clientCreatedAt ? clientCreatedAt.getTime() === time : grantedAt.getTime() >= time;
}

/**
 * When the access of the client, or of all clients, to the account was last removed; null if it never was. The time is a text, because a
 * JavaScript date is less precise.
 */
export function lastRemovalSql(account: RawBuilder<unknown>, { client }: Pick<Client, 'client'>): RawBuilder<string | null> {
  return sql`(
    select extract(epoch from max(r.removed_at))::text from consent_removal r
    where r.account_id = ${account} and r.client_id in ('', ${client}))`;
}

/**
 * Common table expressions that extend the grants that an answer uses. `valid` has a row unless the access of the account, the access of
 * the client or one of the used grants has ended since the grants were read.
 */
function useGrantsSql({ param, now }: Placeholders<ChangeValues>): RawBuilder<unknown> {
  // The account is locked first, as in every transaction that ends its grants.
  return sql`
    owner as (
      select a.id from account a
      where a.id = ${param('owner')}::uuid and a.status = 'active' and ${SECURITY_STAMP} = ${param('stamp')}::text
      for no key update
    ), used as (
      update consent_grant g set expires_at = greatest(g.expires_at, ${now} + ${interval(param('lifetimeSeconds'))})
      where g.account_id = (select id from owner) and g.client_id = ${param('client')} and g.scope = any(${param('usedScopes')}::text[])
      returning g.scope
    ), valid as (
      select id from owner where (select count(*) from used) = cardinality(${param('usedScopes')}::text[])
        and ${lastRemovalSql(sql`owner.id`, { client: param('client') })} is not distinct from ${param('removal')}::text
    )`;
}

/** Common table expressions that write the grants of an answer. @param answerTable a table that has a row if the answer takes effect */
function changeGrantsSql(placeholders: Placeholders<ChangeValues>, answerTable: RawBuilder<unknown>): RawBuilder<unknown> {
  const { param, now } = placeholders;
  return sql`
    refused as (
      delete from consent_grant g
      where g.account_id = (select id from owner) and g.client_id = ${param('client')}
        and g.scope = any(${param('refusedScopes')}::text[]) and exists (select from ${answerTable})
    ), added as (
      insert into consent_grant as g (account_id, client_id, scope, granted_at, expires_at, client_created_at)
      select owner.id, ${param('client')}, wanted.scope, ${now}, ${now} + ${interval(param('lifetimeSeconds'))}, ${param('createdAt')}::timestamptz
      from owner, unnest(${param('addedScopes')}::text[]) as wanted (scope) where exists (select from ${answerTable})
      on conflict (account_id, client_id, scope) do update
        set granted_at = case when g.expires_at > ${now} and ${isCurrentGrantSql({ createdAt: param('createdAt') })}
            then g.granted_at else excluded.granted_at end,
          expires_at = greatest(g.expires_at, excluded.expires_at), client_created_at = excluded.client_created_at
    ), audited as (
      ${insertEvent(buildEventColumns(placeholders), answerTable)}
      returning seq
    )`;
}

const RECORD = new Statement<ChangeValues, { valid: boolean }>(
  'consent.record',
  (placeholders) => sql`
    with ${useGrantsSql(placeholders)}, ${changeGrantsSql(placeholders, sql`valid`)}
    select exists (select from valid) as valid`,
);

const FINISH = new Statement<ChangeValues & OwnerValues & { result: string }, { valid: boolean; result: string | null }>(
  'consent.finish',
  (placeholders) => {
    const { param, now } = placeholders;
    const owner = { kind: param('kind'), challenge: param('challenge'), browser: param('browser') };
    const result = param('result');
    return sql`
    with ${useGrantsSql(placeholders)}, record as (
      ${finishRecordSql({ ...owner, result, now }, sql`exists (select from valid)`)}
    ), own as (
      select result from record where result = ${result}
    ), ${changeGrantsSql(placeholders, sql`own`)}
    select exists (select from valid) as valid, (select result from record) as result`;
  },
);

type ListRow = { client_id: string; scope: string; granted_at: Date; client_created_at: Date | null };

const LIST = new Statement<{ account: string }, ListRow>(
  'consent.granted',
  ({ param, now }) => sql`
    select client_id, scope, granted_at, client_created_at from consent_grant where account_id = ${param('account')}::uuid and expires_at > ${now}
    order by client_id, granted_at, scope`,
);

/**
 * The people who have granted something to one client, by account id. The limit of the lateral query makes PostgreSQL look up each
 * account of the page instead of reading all accounts.
 */
const LIST_PEOPLE = new Statement<{ client: string; createdAt: string | null; afterId: string; max: number }, PeopleRow>(
  'consent.people',
  ({ param, now }) => sql`
    select page.account_id, a.username, a.display_name, page.scopes, page.granted_at, page.expires_at
    from (
      select g.account_id, array_agg(g.scope order by g.scope) as scopes, min(g.granted_at) as granted_at, max(g.expires_at) as expires_at
      from consent_grant g
      where g.client_id = ${param('client')} and g.account_id > ${param('afterId')}::uuid and g.expires_at > ${now}
        and ${isCurrentGrantSql({ createdAt: param('createdAt') })}
      group by g.account_id order by g.account_id limit ${param('max')}::integer
    ) page
    cross join lateral (select username, display_name from account where id = page.account_id limit 1) a
    order by page.account_id`,
);

/** Stores that the access of a client was removed; an empty `client` stands for all clients. @param owner a table with the account */
function storeRemovalSql(
  { client, now }: { client: RawBuilder<string>; now: RawBuilder<Date> },
  owner: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    insert into consent_removal (account_id, client_id, removed_at) select owner.id, ${client}, ${now} from ${owner}
    on conflict (account_id, client_id) do update set removed_at = excluded.removed_at`;
}

const REVOKE = new Statement<{ account: string; client: string | null; keptScopes: string[] }, unknown>(
  'consent.revoke',
  ({ param, now }) => sql`
    with owner as (
      select id from account where id = ${param('account')}::uuid for no key update
    ), noted as (
      ${storeRemovalSql({ client: sql`coalesce(${param('client')}::text, '')`, now }, sql`owner`)}
    )
    delete from consent_grant
    where account_id = (select id from owner) and (${param('client')}::text is null or client_id = ${param('client')})
      and scope <> all(${param('keptScopes')}::text[])`,
);

/** Less than every id of an account. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

@Injectable()
export class ConsentGrants {
  constructor(
    private readonly database: Database,
    private readonly records: ChallengeRecords,
    private readonly audit: AuditLog,
  ) {}

  /**
   * @returns false if the answer has no effect, because the access of the account, the access of the client or one of the used grants
   * has ended since the grants were read
   */
  async record(change: GrantChange, event: AuditEvent): Promise<boolean> {
    const [row] = await this.database.run(RECORD, { ...toEventValues(event), ...toValues(change) });
    const isValid = row?.valid ?? false;
    if (isValid) this.audit.count(event);
    return isValid;
  }

  /**
   * Does the same as `record`, and finishes the record of the challenge: only the first answer takes effect.
   * @returns the first answer; null if the answer has no effect, as in `record` @throws ChallengeNotClaimed
   */
  async finish(
    change: GrantChange,
    event: AuditEvent,
    record: { owner: ChallengeOwner; result: string },
  ): Promise<string | null> {
    const values = { ...hashOwner(record.owner), ...toEventValues(event), ...toValues(change) };
    const outcome = { isValid: true };
    const finishedRecord = await this.records.finishWith(record.result, async (sealedResult) => {
      const [row] = await this.database.run(FINISH, { ...values, result: sealedResult });
      outcome.isValid = row?.valid ?? false;
      if (!outcome.isValid) return { result: sealedResult };
      return row?.result ? { result: row.result } : undefined;
    });
    if (!outcome.isValid) return null;
    if (finishedRecord.isOwn) this.audit.count(event);
    return finishedRecord.result;
  }

  /** Lists the grants of an account by app. */
  async list(accountId: string): Promise<ConsentGrant[]> {
    const rows = await this.database.run(LIST, { account: accountId });
    return rows.map((row) => ({
      clientId: row.client_id,
      scope: row.scope,
      grantedAt: row.granted_at,
      clientCreatedAt: row.client_created_at,
    }));
  }

  /**
   * Lists the people who have granted something to a client, by account id.
   * @param client `createdAt`: when the client was registered, because a client that was registered again has none of the earlier grants
   * @param page `afterId`: the last account id of the previous page
   */
  async listPeople(
    client: { id: string; createdAt?: string },
    { afterId = NO_ID, max }: { afterId?: string; max: number },
  ): Promise<GrantingPerson[]> {
    const clientCreatedAt = client.createdAt ?? null;
    const rows = await this.database.run(LIST_PEOPLE, { client: client.id, createdAt: clientCreatedAt, afterId, max });
    return rows.map((row) => ({
      accountId: row.account_id,
      username: row.username,
      displayName: row.display_name,
      scopes: row.scopes,
      grantedAt: row.granted_at,
      expiresAt: row.expires_at,
    }));
  }

  /**
   * Ends grants, and stores the removal.
   * @param selection `clientId`: null for all apps; `keptScopes`: scopes whose grants stay; `event` is recorded in the same transaction
   */
  async revoke(
    accountId: string,
    { clientId, keptScopes = [], event }: { clientId: string | null; keptScopes?: readonly string[]; event?: AuditEvent },
  ): Promise<void> {
    const values = { account: accountId, client: clientId, keptScopes: [...keptScopes] };
    if (!event) return void (await this.database.run(REVOKE, values));
    await this.database.transaction(async (trx) => {
      await this.database.run(REVOKE, values, trx);
      await this.audit.record(event, trx);
    });
  }
}

/** Ends all grants, in a transaction that revokes all consents at Hydra. Must run after `endAccess`, which locks the account. */
export async function endGrants(
  { accountId, now }: { accountId: string; now: RawBuilder<Date> },
  trx: Transaction<Schema>,
): Promise<void> {
  await storeRemovalSql({ client: sql`''`, now }, sql`(select ${accountId}::uuid as id) as owner`).execute(trx);
  await trx.deleteFrom('consent_grant').where('account_id', '=', accountId).execute();
}

function toValues(change: GrantChange): Omit<ChangeValues, keyof EventValues> {
  return {
    owner: change.accountId,
    client: change.clientId,
    createdAt: change.clientCreatedAt,
    stamp: change.securityStamp,
    removal: change.lastRemoval,
    addedScopes: change.addedScopes.filter((scope) => STORABLE_SCOPE.test(scope)),
    usedScopes: [...change.usedScopes],
    refusedScopes: [...change.refusedScopes],
    lifetimeSeconds: change.lifetimeSeconds,
  };
}
