/** The refused calls of SCIM clients, for operators, and how much a source has pushed. `scim-faults.ts` writes the rows. */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { isAccountId } from '../account/account.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { positionSql, readTimePage, timeSql, type PageQuery, type Position } from './time-pages.js';

export interface ListedFault {
  id: string;
  /** When it was refused for the first and for the last time. */
  at: Date;
  lastAt: Date;
  times: number;
  method: string;
  /** `User` or `Group`. */
  resource: string;
  /** Whom or what the call was about, as the client names it. */
  subject: string;
  /** `scimType` of the answer, or its status. */
  code: string;
  /** Path of the attribute; empty if there is none. */
  field: string;
  detail: string;
  /** The account that is in the way or is concerned. */
  account: { id: string; username: string; displayName: string; source: string | null; isOffered: boolean } | null;
}

/** How much a source has pushed, with people whose accounts are kept after it has deleted them; each counted up to `MOST_COUNTED`; one more stands for more. */
export interface ScimCounts {
  people: number;
  groups: number;
  faults: number;
  offers: number;
}

const MOST_COUNTED = 100_000;

const LIST = new Statement<{ source: string; most: number } & Position, ListedFault & Position>(
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
    order by f.last_at desc, f.id desc limit ${param('most')}`,
);

/** The orders are those of the indexes, without which the planner would read whole tables. */
const COUNT = new Statement<{ source: string; most: number }, ScimCounts>('scim-fault.count', ({ param, now }) => {
  const count = (rows: RawBuilder<unknown>) => sql`
    (select count(*)::integer from (select from ${rows} limit ${param('most')}) counted)`;
  return sql`
    select ${count(sql`scim_user where source = ${param('source')} order by account_id`)} as people,
      ${count(sql`scim_group where source = ${param('source')} order by id`)} as groups,
      ${count(sql`scim_fault where source = ${param('source')} order by last_at`)} as faults,
      ${count(sql`scim_offer where source = ${param('source')} and expires_at > ${now} order by offered_at`)} as offers`;
});

/** A source has at most a thousand rows. */
const COUNT_REFUSED = new Statement<{ sources: readonly string[] }, { source: string; count: number }>(
  'scim-fault.count-refused',
  ({ param }) => sql`
    select given.source, counted.count from unnest(${param('sources')}::text[]) given (source)
      cross join lateral (
        select count(*)::integer as count from (
          select from scim_fault f where f.source = given.source order by f.last_at limit 1001) refused) counted
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

  /** @returns the calls that were refused last first */
  async list(source: string, query: PageQuery = {}): Promise<{ faults: ListedFault[]; nextCursor?: string }> {
    const { rows, ...next } = await readTimePage(query, (page) => this.database.run(LIST, { source, ...page }));
    return { faults: rows, ...next };
  }

  async count(source: string): Promise<ScimCounts> {
    const [row] = await this.database.run(COUNT, { source, most: MOST_COUNTED + 1 });
    return row ?? { people: 0, groups: 0, faults: 0, offers: 0 };
  }

  /** @returns by source, as far as it has refused calls */
  async countRefused(sources: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (sources.length === 0) return new Map();
    const rows = await this.database.run(COUNT_REFUSED, { sources });
    return new Map(rows.map(({ source, count }) => [source, count]));
  }

  /** @returns whether there was such a row; the same call that is refused again makes a new one */
  async dismiss(id: string, by: AuditContext): Promise<boolean> {
    if (!isAccountId(id)) return false;
    return this.database.transaction(async (trx) => {
      const [row] = await this.database.run(DISMISS, { id }, trx);
      if (!row) return false;
      const { source, code, account_id: accountId } = row;
      const concerned = accountId === null ? {} : { accountId };
      await this.audit.record({ ...by, kind: 'scim.dismissed', ...concerned, detail: { source, code } }, trx);
      return true;
    });
  }
}
