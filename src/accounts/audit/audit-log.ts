/**
 * The audit log: who did what to which account, when and from where. It is append-only. Events of the kinds marked as
 * expiring in `kinds.ts` are deleted after their retention (`cleanup.ts`); other events are kept. The audit log
 * contains no secrets and no text that strangers have entered.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Selectable, type Transaction } from 'kysely';
import type { Locale } from '../../contract/locale.js';
import { Statement } from '../../database/statement.js';
import { Database } from '../../database/database.js';
import type { AuditEventTable, Schema } from '../../database/schema.js';
import { TELEMETRY_OFF, Telemetry } from '../../telemetry/telemetry.js';
import { isAccountId } from '../account/account.js';
import { presentPersonSinceSql } from '../account/present-person.js';
import { isCursor, toPage, toPageSize } from '../../database/row-pages.js';
import { countEvent } from './event-count.js';
import { buildEventColumns, insertEvent, type EventValues } from './insert-event.js';
import type { AuditKind } from './kinds.js';
import { defined } from '../../config/defined.js';
import { findRequestTime } from '../../config/request-id.js';

/** Who caused an event, and from where. */
export interface AuditContext {
  actor: 'person' | 'operator' | 'system';
  /** Name of the operator token, if the token has a name, or username of the operator. */
  operator?: string;
  /** Account id of the operator; absent for a token. Stored in the detail of the event. */
  operatorAccount?: string;
  /** Why the operator makes the change. Stored in the detail of the event. */
  reason?: string;
  /** The job on many accounts that makes the change. Stored in the detail of the event. */
  job?: number;
  /** The SCIM source that makes the change. Stored in the detail of the event. */
  source?: string;
  address?: string;
  requestId?: string;
  /**
   * Language of the person's page, which is used if the account has no language, for a mail that the person requested. The audit log does
   * not store it.
   */
  locale?: Locale | undefined;
  /** Condition that must hold in the transaction of the change. The audit log does not store it. */
  condition?: ChangeCondition;
}

/** A condition that is checked, and used up, in the transaction of a change, before the change is written. */
export interface ChangeCondition {
  /** @throws to refuse the change */
  require(trx: Transaction<Schema>): Promise<void>;
}

export type AuditDetail = Readonly<Record<string, string | number | boolean | string[]>>;

export interface AuditEvent extends AuditContext {
  kind: AuditKind;
  /** Absent if the event does not concern an account, or if no account has the typed name. */
  accountId?: string;
  /** Names of changed fields, counts, reasons. */
  detail?: AuditDetail;
}

export interface AuditEntry extends AuditEvent {
  id: string;
  at: Date;
}

export interface AuditPage {
  entries: AuditEntry[];
  nextCursor?: string;
}

export interface AuditQuery {
  accountId?: string;
  /** Id of an account: only its events since it has belonged to its present person; for the person's own view. */
  ofPresentPerson?: string;
  /** Any of these kinds; see `kinds.ts`. */
  kinds?: readonly string[];
  actor?: AuditContext['actor'];
  /** Only events that the operator token with this name, or the operator with this username, caused. */
  operator?: string;
  /** Only events whose detail names the client with this id, such as sign-ins and consents. */
  client?: string;
  /**
   * Only events of the request with this id. No events are found if the id contains no time (`request-id.ts`), and no events that were
   * written more than 90 seconds before or after that time.
   */
  requestId?: string;
  /** Inclusive. */
  since?: Date;
  /** Exclusive. */
  until?: Date;
  /** `nextCursor` of the previous page; a malformed value returns an empty page. */
  cursor?: string;
  limit?: number;
}

const LAST_SIGN_INS = new Statement<{ account: string }, { client: string; at: Date }>(
  'audit.last-sign-ins',
  ({ param }) => sql`
    select detail->>'client' as client, max(at) as at from audit_event
    where account_id = ${param('account')}::uuid and kind in ('sign-in.ok', 'sign-in.continued') and detail ? 'client'
      and at > ${presentPersonSinceSql(param('account'))}
    group by 1`,
);

/** Exceeds the difference between the clocks of a gateway and the database, and the duration of a request. */
const REQUEST_MARGIN_MS = 90_000;

const USERNAMES = new Statement<{ ids: string[] }, { id: string; username: string }>(
  'audit.usernames',
  ({ param }) => sql`select id, username from account where id = any(${param('ids')}::uuid[])`,
);

const RECORD = new Statement<EventValues, never>('audit.record', (placeholders) => insertEvent(buildEventColumns(placeholders)));

@Injectable()
export class AuditLog {
  #notifyRecorded: ((kind: AuditKind) => void) | undefined;

  constructor(
    private readonly database: Database,
    private readonly telemetry: Telemetry = TELEMETRY_OFF,
  ) {}

  /** @param trx transaction of the recorded change; if absent, the event is written on its own */
  async record(event: AuditEvent, trx?: Transaction<Schema>): Promise<void> {
    await this.database.run(RECORD, toEventValues(event), trx);
    this.count(event);
  }

  /** @param listener is called after this process has committed an event; it must not throw */
  onRecorded(listener: (kind: AuditKind) => void): void {
    this.#notifyRecorded = listener;
  }

  /** Counts an event that another statement has inserted (`insert-event.ts`). */
  count(event: Pick<AuditEvent, 'kind' | 'actor' | 'detail'>): void {
    countEvent(this.telemetry, this.database, event);
    const notify = this.#notifyRecorded;
    if (notify) this.database.runAfterCommit(() => notify(event.kind));
  }

  /** Lists the events of one account, newest first. */
  list(accountId: string, cursor?: string): Promise<AuditPage> {
    return this.search({ accountId, ...defined({ cursor }) });
  }

  /** @returns when the present person last signed in to each app, by client id, as far back as such events are kept */
  async findLastSignIns(accountId: string): Promise<ReadonlyMap<string, Date>> {
    const rows = await this.database.run(LAST_SIGN_INS, { account: accountId });
    return new Map(rows.map(({ client, at }) => [client, at]));
  }

  /** @returns the current usernames of the accounts of these events, by id */
  async findUsernames(entries: readonly AuditEntry[]): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(entries.flatMap(({ accountId }) => accountId ?? []))];
    if (ids.length === 0) return new Map();
    const rows = await this.database.run(USERNAMES, { ids });
    return new Map(rows.map(({ id, username }) => [id, username]));
  }

  /** @returns the ids of at most `max` accounts that have an event of the kind with these members in its detail */
  async findAccountIds(
    { kind, detail, max }: { kind: AuditKind; detail: AuditDetail; max: number },
    trx: Pick<Transaction<Schema>, 'selectFrom'> = this.database.db,
  ): Promise<string[]> {
    const rows = await trx
      .selectFrom('audit_event')
      .select('account_id')
      .distinct()
      .where('kind', '=', kind)
      .where(sql<boolean>`detail @> ${JSON.stringify(detail)}::jsonb`)
      .where('account_id', 'is not', null)
      .limit(max)
      .execute();
    return rows.flatMap(({ account_id }) => account_id ?? []);
  }

  /** @param subjects ids or subjects of accounts, in lower case @returns the ids and subjects of deleted accounts */
  async findDeletedSubjects(subjects: readonly string[]): Promise<ReadonlySet<string>> {
    const ids = subjects.filter(isAccountId);
    const storedSubject = sql<string | null>`lower(detail->>'subject')`;
    const rows = await this.database.db
      .selectFrom('audit_event')
      .select(['account_id', storedSubject.as('subject')])
      .distinct()
      .where('kind', '=', 'account.deleted' satisfies AuditKind)
      .where(sql<boolean>`(account_id = any(${ids}::uuid[]) or ${storedSubject} = any(${subjects}::text[]))`)
      .execute();
    return new Set(rows.flatMap(({ account_id, subject }) => [account_id ?? [], subject ?? []].flat()));
  }

  /** Lists the events that match, newest first. */
  async search(query: AuditQuery): Promise<AuditPage> {
    const { accountId, ofPresentPerson, cursor, limit } = query;
    if ([accountId, ofPresentPerson].some((id) => id !== undefined && !isAccountId(id))) return { entries: [] };
    if (cursor !== undefined && !isCursor(cursor)) return { entries: [] };
    const size = toPageSize(limit);
    const { rows, ...nextPage } = toPage(await this.#findNewest(query, size + 1), size);
    return { entries: rows.map(toEntry), ...nextPage };
  }

  /**
   * Without an account and a client, each kind is one branch of a union, and the index by kind returns its newest events in order.
   * With one condition for all kinds, PostgreSQL would read events of every kind, newest first, until it has found enough.
   */
  async #findNewest(query: AuditQuery, max: number): Promise<AuditRow[]> {
    const { accountId, ofPresentPerson, kinds, client } = query;
    const matchingEvents = this.#selectMatching(query).limit(max);
    if (kinds === undefined) return matchingEvents.execute();
    if (kinds.length === 0) return [];
    if ([accountId, ofPresentPerson, client].some((one) => one !== undefined))
      return matchingEvents.where('kind', 'in', kinds).execute();
    const branches = kinds.map((kind) => sql`(${matchingEvents.where('kind', '=', kind)})`);
    const { rows } = await sql<AuditRow>`
      select * from (${sql.join(branches, sql` union all `)}) event order by at desc, seq desc limit ${max}`.execute(
      this.database.db,
    );
    return rows;
  }

  #selectMatching({ accountId, ofPresentPerson, actor, operator, client, requestId, since, until, cursor }: AuditQuery) {
    let query = this.database.db.selectFrom('audit_event').selectAll().orderBy('at', 'desc').orderBy('seq', 'desc');
    if (accountId !== undefined) query = query.where('account_id', '=', accountId);
    if (ofPresentPerson !== undefined)
      query = query.where('account_id', '=', ofPresentPerson).where('at', '>', presentPersonSinceSql(ofPresentPerson));
    if (actor !== undefined) query = query.where('actor', '=', actor);
    if (operator !== undefined) query = query.where('operator_name', '=', operator);
    if (client !== undefined) query = query.where(matchClient(client));
    if (requestId !== undefined) query = query.where(matchRequest(requestId));
    if (since !== undefined) query = query.where('at', '>=', since);
    if (until !== undefined) query = query.where('at', '<', until);
    return cursor === undefined ? query : query.where(matchOlderEvents(Number(cursor)));
  }
}

/** @param event null if the statement must not insert an event */
export function toEventValues(event: AuditEvent | null): EventValues {
  return {
    event: event?.kind ?? null,
    actor: event?.actor ?? null,
    operator: event?.operator ?? null,
    account: event?.accountId ?? null,
    address: event?.address ?? null,
    request: event?.requestId ?? null,
    detail: event ? toStoredDetail(event) : null,
  };
}

/** @returns JSON; null if the detail has no members */
function toStoredDetail({ detail, reason, operatorAccount, job, source }: AuditEvent): string | null {
  const members = { ...detail, ...defined({ reason, operatorAccount, job, source }) };
  return Object.keys(members).length === 0 ? null : JSON.stringify(members);
}

/** @returns the detail without the members that describe the operator, which people must not see */
export function removeOperatorDetail({ actor, detail }: Pick<AuditEvent, 'actor' | 'detail'>): AuditDetail | undefined {
  if (detail === undefined || actor !== 'operator') return detail;
  const { reason: _, operatorAccount: __, job: ___, ...rest } = detail;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/**
 * Condition for events that are older than the event of the cursor, by time and then by sequence. That event may have been deleted;
 * the remaining event before it has nearly the same time.
 */
function matchOlderEvents(cursor: number): RawBuilder<boolean> {
  return sql<boolean>`(at, seq) < (
    select c.at, ${cursor}::bigint from audit_event c where c.seq <= ${cursor} order by c.seq desc limit 1)`;
}

/** Uses the index `audit_event_client`. PostgreSQL rejects NUL, which no id contains. */
function matchClient(client: string): RawBuilder<boolean> {
  return sql<boolean>`detail ->> 'client' = ${client.replaceAll('\u0000', '')}`;
}

/** Condition for the events of a request. The time in its id selects a range of the index by time; an id without a time matches nothing. */
function matchRequest(requestId: string): RawBuilder<boolean> {
  const time = findRequestTime(requestId)?.getTime();
  if (time === undefined) return sql<boolean>`false`;
  const [start, end] = [time - REQUEST_MARGIN_MS, time + REQUEST_MARGIN_MS].map((milliseconds) => new Date(milliseconds));
  return sql<boolean>`(at >= ${start} and at < ${end} and request_id = ${requestId.toLowerCase()})`;
}

type AuditRow = Selectable<AuditEventTable>;

function toEntry(row: AuditRow): AuditEntry {
  return {
    id: String(row.seq),
    at: row.at,
    // Only `insertEvent` writes this column. Another version of Foyer may have written a kind that this version does not know.
    kind: row.kind as AuditKind,
    actor: row.actor as AuditContext['actor'],
    ...(row.operator_name === null ? {} : { operator: row.operator_name }),
    ...(row.account_id === null ? {} : { accountId: row.account_id }),
    ...(row.address === null ? {} : { address: row.address }),
    ...(row.request_id === null ? {} : { requestId: row.request_id }),
    ...(row.detail === null ? {} : { detail: row.detail }),
  };
}
