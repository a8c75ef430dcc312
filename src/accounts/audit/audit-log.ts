/**
 * The record of who did what to whom, when and from where. It is only ever added to; sign-ins and the like leave it after
 * some time (`cleanup.ts`), changes stay. It holds no secret and nothing that a stranger typed.
 */
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import { Statement } from '../../database/statement.js';
import type { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { TELEMETRY_OFF } from '../../telemetry/telemetry.js';
import { isAccountId } from '../account/account.js';
import { countEvent } from './event-count.js';

export type AuditKind =
  | 'password.ok'
  | 'password.refused'
  | 'password.limited'
  | 'sign-in.ok'
  | 'provider.ok'
  | 'provider.refused'
  | 'sign-in.continued'
  | 'consent.granted'
  | 'consent.refused'
  | 'logout.done'
  | 'account.created'
  | 'account.imported'
  | 'accounts.exported'
  | 'account.changed'
  | 'account.disabled'
  | 'account.enabled'
  | 'password.changed'
  | 'password.reset'
  | 'password-reset.asked'
  | 'password-reset.issued'
  | 'limits.cleared'
  | 'sessions.ended'
  | 'account.secured'
  | 'freeze.lifted'
  | 'upstream-sessions.ended'
  | 'request.limited'
  | 'username.changed'
  | 'factor.added'
  | 'factor.removed'
  | 'factor.renamed'
  | 'factor.reset'
  | 'factor-reset.issued'
  | 'factor.refused'
  | 'factor.limited'
  | 'factor.ok'
  | 'provider.connected'
  | 'provider.disconnected'
  | 'recovery-codes.made'
  | 'recovery-code.used'
  | 'registration.finished'
  | 'area.opened'
  | 'area.closed'
  | 'proof.ok'
  | 'token.reused'
  | 'mail.abandoned'
  | 'system.started'
  | 'secrets.rotated';

/** Who did something, and from where. */
export interface AuditContext {
  actor: 'person' | 'operator' | 'system';
  address?: string;
  requestId?: string;
}

export type AuditDetail = Readonly<Record<string, string | number | boolean | string[]>>;

export interface AuditEvent extends AuditContext {
  kind: AuditKind;
  /** Absent when nobody of that name exists. */
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
  /** One of these; see `audit-kinds.ts`. */
  kinds?: readonly string[];
  actor?: AuditContext['actor'];
  /** From this moment on. */
  since?: Date;
  /** Before this moment. */
  until?: Date;
  /** `nextCursor` of the page before; anything else gives an empty page. */
  cursor?: string;
  limit?: number;
}

const PAGE_SIZE = 50;
const LARGEST_PAGE = 200;

type Column = RawBuilder<unknown>;

export interface EventColumns {
  /** Now. */
  at: Column;
  kind: Column | AuditKind;
  /** A person unless given. */
  actor?: Column;
  account: Column;
  address: Column;
  request: Column;
  /** JSON. */
  detail?: Column;
}

/**
 * The one statement that adds to the audit log, also as a part of another that records what it does. Whoever runs that one
 * tells `AuditLog.count` of the event.
 * @param from tables and conditions: one event for each of their rows. One event without it.
 */
export function insertEvent(event: EventColumns, from?: RawBuilder<unknown>): RawBuilder<never> {
  const { at, kind, actor = sql.lit('person'), account, address, request, detail = sql.lit(null) } = event;
  return sql<never>`
    insert into audit_event (at, kind, actor, account_id, address, request_id, detail)
    select ${at}, ${typeof kind === 'string' ? sql.lit(kind) : kind}::text, ${actor}::text, ${account}::uuid,
      ${address}::text, ${request}::text, ${detail}::jsonb
    ${from ? sql`from ${from}` : sql``}`;
}

const RECORD = new Statement<
  Record<'kind' | 'actor', string> & Record<'account' | 'address' | 'request' | 'detail', string | null>,
  never
>('audit.record', ({ slot, now }) =>
  insertEvent({
    at: now,
    kind: slot('kind'),
    actor: slot('actor'),
    account: slot('account'),
    address: slot('address'),
    request: slot('request'),
    detail: slot('detail'),
  }),
);

const RECORD_MANY = new Statement<
  Record<'kind' | 'actor' | 'events', string> & Record<'address' | 'request', string | null>,
  never
>('audit.record-many', ({ slot, now }) =>
  insertEvent(
    {
      at: now,
      kind: slot('kind'),
      actor: slot('actor'),
      account: sql`e.account`,
      address: slot('address'),
      request: slot('request'),
      detail: sql`e.detail`,
    },
    sql`jsonb_to_recordset(${slot('events')}::jsonb) as e(account uuid, detail jsonb)`,
  ),
);

export class AuditLog {
  constructor(
    private readonly database: Database,
    private readonly telemetry = TELEMETRY_OFF,
  ) {}

  /** @param trx the transaction of the change that is recorded; without one the record stands by itself */
  async record(event: AuditEvent, trx?: Transaction<Schema>): Promise<void> {
    const { kind, actor, accountId, address, requestId, detail } = event;
    const values = {
      kind,
      actor,
      account: accountId ?? null,
      address: address ?? null,
      request: requestId ?? null,
      detail: detail ? JSON.stringify(detail) : null,
    };
    await this.database.run(RECORD, values, trx);
    this.count(event);
  }

  /** An event that a statement has written beside its own work. */
  count(event: Pick<AuditEvent, 'kind' | 'actor' | 'detail'>): void {
    countEvent(this.telemetry, this.database, event);
  }

  /** One event of a kind for each of many accounts, in one statement. */
  async recordMany(
    { kind, actor, address, requestId }: Omit<AuditEvent, 'accountId' | 'detail'>,
    about: readonly { accountId: string; detail: AuditDetail }[],
    trx: Transaction<Schema>,
  ): Promise<void> {
    const events = JSON.stringify(about.map(({ accountId: account, detail }) => ({ account, detail })));
    await this.database.run(RECORD_MANY, { kind, actor, events, address: address ?? null, request: requestId ?? null }, trx);
    for (const { detail } of about) this.count({ kind, actor, detail });
  }

  /** Of one account, newest first. */
  list(accountId: string, cursor?: string): Promise<AuditPage> {
    return this.search({ accountId, ...(cursor === undefined ? {} : { cursor }) });
  }

  /** Newest first. */
  async search(wanted: AuditQuery): Promise<AuditPage> {
    const { accountId, cursor, limit = PAGE_SIZE } = wanted;
    if (accountId !== undefined && !isAccountId(accountId)) return { entries: [] };
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) return { entries: [] };
    const size = Math.min(Math.max(Math.trunc(limit) || PAGE_SIZE, 1), LARGEST_PAGE);
    const rows = await this.#select(wanted)
      .limit(size + 1)
      .execute();
    const page = rows.slice(0, size);
    const last = page.at(-1);
    return { entries: page.map(toEntry), ...(rows.length > size && last ? { nextCursor: String(last.seq) } : {}) };
  }

  #select({ accountId, kinds, actor, since, until, cursor }: AuditQuery) {
    let query = this.database.db.selectFrom('audit_event').selectAll().orderBy('seq', 'desc');
    if (accountId !== undefined) query = query.where('account_id', '=', accountId);
    // An empty list is no SQL.
    if (kinds !== undefined) query = query.where('kind', 'in', [...kinds, '']);
    if (actor !== undefined) query = query.where('actor', '=', actor);
    if (since !== undefined) query = query.where('at', '>=', since);
    if (until !== undefined) query = query.where('at', '<', until);
    return cursor === undefined ? query : query.where('seq', '<', Number(cursor));
  }
}

interface AuditRow {
  seq: number;
  at: Date;
  kind: string;
  actor: string;
  account_id: string | null;
  address: string | null;
  request_id: string | null;
  detail: AuditDetail | null;
}

function toEntry(row: AuditRow): AuditEntry {
  return {
    id: String(row.seq),
    at: row.at,
    // Written by `record` alone, which knows these kinds only.
    kind: row.kind as AuditKind,
    actor: row.actor as AuditContext['actor'],
    ...(row.account_id === null ? {} : { accountId: row.account_id }),
    ...(row.address === null ? {} : { address: row.address }),
    ...(row.request_id === null ? {} : { requestId: row.request_id }),
    ...(row.detail === null ? {} : { detail: row.detail }),
  };
}
