/**
 * The trail of who did what to whom, when and from where. It is only ever added to; sign-ins leave it after their time
 * (`sweeper.ts`), changes stay. It holds no secret and nothing that a stranger typed.
 */
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { Statement } from '../database/statement.js';
import type { Database } from '../database/database.js';
import type { Schema } from '../database/schema.js';
import { isAccountId } from './account.js';

export type AuditKind =
  | 'sign-in.ok'
  | 'sign-in.refused'
  | 'sign-in.limited'
  | 'account.created'
  | 'account.changed'
  | 'account.disabled'
  | 'account.enabled'
  | 'password.changed'
  | 'password.reset'
  | 'password-reset.asked'
  | 'password-reset.issued'
  | 'limits.cleared'
  | 'sessions.ended'
  | 'username.changed'
  | 'factor.added'
  | 'factor.removed'
  | 'factor.reset'
  | 'factor-reset.issued'
  | 'factor.refused'
  | 'factor.limited'
  | 'factor.ok'
  | 'recovery-codes.made'
  | 'recovery-code.used'
  | 'area.opened'
  | 'proof.ok'
  | 'token.reused'
  | 'mail.abandoned';

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

const PAGE_SIZE = 50;

const RECORD = new Statement<
  Record<'kind' | 'actor', string> & Record<'account' | 'address' | 'request' | 'detail', string | null>,
  never
>(
  'audit.record',
  ({ slot, now }) => sql`
    insert into audit_event (at, kind, actor, account_id, address, request_id, detail)
    values (${now}, ${slot('kind')}, ${slot('actor')}, ${slot('account')}, ${slot('address')}, ${slot('request')}, ${slot('detail')})`,
);

export class AuditTrail {
  constructor(private readonly database: Database) {}

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
  }

  /**
   * Newest first.
   * @param cursor `nextCursor` of the page before; anything else gives an empty page
   */
  async list(accountId: string, cursor?: string): Promise<{ entries: AuditEntry[]; nextCursor?: string }> {
    if (!isAccountId(accountId) || (cursor !== undefined && !/^\d{1,15}$/.test(cursor))) return { entries: [] };
    const rows = await this.database.db
      .selectFrom('audit_event')
      .selectAll()
      .where('account_id', '=', accountId)
      .$if(cursor !== undefined, (query) => query.where('seq', '<', Number(cursor)))
      .orderBy('seq', 'desc')
      .limit(PAGE_SIZE + 1)
      .execute();
    const page = rows.slice(0, PAGE_SIZE);
    const last = page.at(-1);
    return { entries: page.map(toEntry), ...(rows.length > PAGE_SIZE && last ? { nextCursor: String(last.seq) } : {}) };
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
