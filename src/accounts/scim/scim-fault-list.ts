/**
 * Lists and dismisses the refused calls of SCIM clients for operators, and counts the people, groups, refused calls and offers of a
 * source. A deletion that only disabled the account of an operator counts as a refused call. `scim-faults.ts` writes the refused calls.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { isAccountId } from '../account/account.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { positionSql, readTimePage, timeSql, type PageQuery, type Position } from './time-pages.js';

export interface ListedFault {
  id: string;
  /** When the call was refused for the first and for the last time. */
  at: Date;
  lastAt: Date;
  times: number;
  method: string;
  /** `User` or `Group`. */
  resource: string;
  /** The person or group of the call, as the client names it. */
  subject: string;
  /** `scimType` of the answer, or its status; `operator` for a deletion that only disabled the account of an operator. */
  code: string;
  /** Path of the attribute; empty if there is none. */
  field: string;
  detail: string;
  /** The account that conflicts with the call, or to which the call refers. */
  account: { id: string; username: string; displayName: string; source: string | null; isOffered: boolean } | null;
}

/**
 * Numbers of rows of a source. Each is counted up to `MAX_COUNT`; `MAX_COUNT + 1` means that there are more. `people` includes
 * people whose accounts stay after the source has deleted them.
 */
export interface ScimCounts {
  people: number;
  groups: number;
  faults: number;
  offers: number;
}

const MAX_COUNT = 100_000;

const LIST = new Statement<{ source: string; max: number } & Position, ListedFault & Position>(
  'scim-fault.list',
  ({ param, now }) => sql`
    select f.at, f.last_at as "lastAt", f.times, f.method, f.resource, f.subject, f.code, f.field, f.detail,
      case when a.id is not null then jsonb_build_object('id', a.id, 'username', a.username, 'displayName', a.display_name,
        'source', s.source, 'isOffered', exists (
          select from scim_offer o where o.account_id = a.id and o.source = f.source and o.expires_at > ${now})) end as account,
      ${positionSql({ at: sql.ref('f.last_at'), id: sql.ref('f.id') })}
    from scim_fault f left join account a on a.id = f.account_id left join source_account s on s.account_id = a.id
    where f.source = ${param('source')}
      and (f.last_at, f.id) < (${timeSql(param('micros'))}, ${param('id')}::uuid)
    order by f.last_at desc, f.id desc limit ${param('max')}`,
);

/** The orders match the indexes; otherwise the planner would read whole tables. */
const COUNT = new Statement<{ source: string; max: number }, ScimCounts>('scim-fault.count', ({ param, now }) => {
  const count = (rows: RawBuilder<unknown>) => sql`
    (select count(*)::integer from (select from ${rows} limit ${param('max')}) counted)`;
  return sql`
    select ${count(sql`scim_user where source = ${param('source')} order by account_id`)} as people,
      ${count(sql`scim_group where source = ${param('source')} order by id`)} as groups,
      ${count(sql`scim_fault where source = ${param('source')} order by last_at`)} as faults,
      ${count(sql`scim_offer where source = ${param('source')} and expires_at > ${now} order by offered_at`)} as offers`;
});

/** `scim-faults.ts` stores at most a thousand rows for each source. */
const COUNT_REFUSED = new Statement<{ sources: readonly string[] }, { source: string; count: number }>(
  'scim-fault.count-refused',
  ({ param }) => sql`
    select requested.source, counted.count from unnest(${param('sources')}::text[]) requested (source)
      cross join lateral (
        select count(*)::integer as count from (
          select from scim_fault f where f.source = requested.source order by f.last_at limit 1001) refused) counted
    where counted.count > 0`,
);

type DismissedRow = Record<'source' | 'code', string> & { account_id: string | null };

const DISMISS = new Statement<{ id: string }, DismissedRow>(
  'scim-fault.dismiss',
  ({ param }) => sql`delete from scim_fault where id = ${param('id')}::uuid returning source, code, account_id`,
);

@Injectable()
export class ScimFaultList {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** @returns the refused calls, most recently refused first */
  async list(source: string, query: PageQuery = {}): Promise<{ faults: ListedFault[]; nextCursor?: string }> {
    const { rows, ...next } = await readTimePage(query, (page) => this.database.run(LIST, { source, ...page }));
    return { faults: rows, ...next };
  }

  async count(source: string): Promise<ScimCounts> {
    const [row] = await this.database.run(COUNT, { source, max: MAX_COUNT + 1 });
    return row ?? { people: 0, groups: 0, faults: 0, offers: 0 };
  }

  /** @returns number of refused calls by source; a source without refused calls is absent */
  async countRefused(sources: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (sources.length === 0) return new Map();
    const rows = await this.database.run(COUNT_REFUSED, { sources });
    return new Map(rows.map(({ source, count }) => [source, count]));
  }

  /** If the same call is refused again, it gets a new row. @returns whether the row existed */
  async dismiss(id: string, auditContext: AuditContext): Promise<boolean> {
    if (!isAccountId(id)) return false;
    return this.database.transaction(async (trx) => {
      const [row] = await this.database.run(DISMISS, { id }, trx);
      if (!row) return false;
      const { source, code, account_id: accountId } = row;
      const account = accountId === null ? {} : { accountId };
      await this.audit.record({ ...auditContext, kind: 'scim.dismissed', ...account, detail: { source, code } }, trx);
      return true;
    });
  }
}
