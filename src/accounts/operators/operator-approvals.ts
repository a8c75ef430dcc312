/**
 * Operations that wait for a second operator (docs/decisions/0091). An approval contains the operation, the account, and the body of the
 * call, which cannot be changed and must not contain secrets. An approval is decided once. An operation that is approved runs in the
 * transaction of the decision; an export runs later.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Selectable, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config, OperatorRights } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { Database } from '../../database/database.js';
import { toPageSize } from '../../database/row-pages.js';
import { interval } from '../../database/statement.js';
import type { OperatorApprovalTable, Schema } from '../../database/schema.js';
import { isAccountId } from '../account/account.js';
import { lockAccount } from '../account/lock.js';
import { AuditLog, type AuditContext, type AuditEvent, type ChangeCondition } from '../audit/audit-log.js';
import { discardHandedLinks } from '../secrets/one-time-secrets.js';
import { AccountRights, findTokenRights } from './account-rights.js';
import { ApprovalAnnouncement } from './approval-announcement.js';
import { buildBasis, isUnchanged, mayGiveAdmin } from './approval-basis.js';
import { ApprovalRefused } from './approval-refused.js';
import { isAsker, toActorText } from './operator-identity.js';

/** How long an approval waits, and how long an approved export can be used. */
const APPROVAL_HOURS = 24;
const WAIT = sql.raw(`interval '${APPROVAL_HOURS} hours'`);
/**
 * If the help desk has not checked who was calling: the person has 24 hours to stop the operation, and operators then have 48 hours to
 * approve it.
 */
const UNCHECKED_SECONDS = { wait: 24 * 3600, end: 72 * 3600 };
const MAX_EXPIRED = 500;

export interface NewApproval {
  operation: string;
  /** Null for an export. */
  accountId: string | null;
  body: Readonly<Record<string, unknown>>;
  /**
   * The check of who is calling (SUPPORT_CHECK): the condition that uses up a passed check, or `missing`. Absent if the operation
   * needs no check.
   */
  check?: ChangeCondition | 'missing';
}

type Decision = NonNullable<OperatorApprovalTable['decision']>;

const KINDS = {
  approved: 'approval.approved',
  rejected: 'approval.rejected',
  withdrawn: 'approval.withdrawn',
  stopped: 'approval.stopped',
  expired: 'approval.expired',
} as const satisfies Record<Decision, AuditEvent['kind']>;

type Row = Selectable<OperatorApprovalTable>;

/** The database, or a transaction. */
type Reader = Pick<Transaction<Schema>, 'selectFrom'>;

export interface Approval extends Row {
  /** Null for an export. */
  username: string | null;
  display_name: string | null;
  email: string | null;
  /** Whether it has expired without a decision, and `expire` has not recorded the expiry yet. */
  is_expired: boolean;
  /** When the person last stopped an earlier request for the same operation on the account. */
  stopped_before: Date | null;
}

interface MadeDecision {
  row: Row;
  decision: Decision;
  auditContext: AuditContext;
}

/** @returns whether these rights allow the operation that is to be approved */
export type RightsCheck = (rights: readonly OperatorRights[], operation: string) => boolean;

@Injectable()
export class OperatorApprovals {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly rights: AccountRights,
    private readonly announcement: ApprovalAnnouncement,
    @Inject(CONFIG) private readonly config: Pick<Config, 'operator'>,
  ) {}

  /**
   * Adds an approval, unless an equal approval of the same operator already waits. @returns the approval that waits
   * @throws the error of the condition `check`
   */
  async ask({ operation, accountId, body, check }: NewApproval, auditContext: AuditContext): Promise<Approval> {
    const now = this.database.now();
    const isUnchecked = check === 'missing';
    const id = await this.database.transaction(async (trx) => {
      if (accountId !== null) await lockAccount(accountId, trx);
      const waitingId = await this.#findWaiting({ operation, accountId, body, ...defined({ check }) }, auditContext, trx);
      if (waitingId !== null) return waitingId;
      if (check && check !== 'missing') await check.require(trx);
      const values = {
        operation,
        account_id: accountId,
        body: JSON.stringify(body),
        basis: toBasis({ accountId, operation, body }),
        reason: auditContext.reason ?? '',
        asked_by: toActorText(auditContext),
        asked_account: auditContext.operatorAccount ?? null,
        asked_at: now,
        expires_at: isUnchecked ? sql<Date>`${now} + ${interval(UNCHECKED_SECONDS.end)}` : sql<Date>`${now} + ${WAIT}`,
        not_before: isUnchecked ? sql<Date>`${now} + ${interval(UNCHECKED_SECONDS.wait)}` : null,
        checked: check !== undefined && !isUnchecked,
      };
      const addedRow = await trx.insertInto('operator_approval').values(values).returningAll().executeTakeFirstOrThrow();
      const { id: addedId, not_before: notBefore, expires_at: expiresAt } = addedRow;
      const isAnnounced =
        accountId !== null &&
        notBefore !== null &&
        (await this.announcement.announce({ id: addedId, operation, body, accountId, notBefore, expiresAt }, trx));
      const announcement = isUnchecked ? { announced: isAnnounced } : {};
      if (isUnchecked) await trx.updateTable('operator_approval').set(announcement).where('id', '=', addedId).execute();
      await this.audit.record(toEvent({ kind: 'approval.asked', row: addedRow, auditContext, extraDetail: announcement }), trx);
      return addedId;
    });
    return this.get(id);
  }

  /** Whether an equal operation of this operator already waits. If so, `ask` adds and announces nothing. */
  async isWaiting(approval: NewApproval, auditContext: AuditContext): Promise<boolean> {
    return (await this.#findWaiting(approval, auditContext, this.database.db)) !== null;
  }

  /** @throws ApprovalRefused, also for a malformed id */
  async get(id: string): Promise<Approval> {
    const approval = await this.find(id);
    if (!approval) throw new ApprovalRefused('not-found');
    return approval;
  }

  /**
   * @returns null for an unknown or malformed id. An approval is deleted 30 days after `expires_at`, or earlier with the account that
   * it would change, or with the account of an operator who requested or supported it.
   */
  async find(id: string): Promise<Approval | null> {
    if (!isAccountId(id)) return null;
    return (await this.#select().where('p.id', '=', id).executeTakeFirst()) ?? null;
  }

  /**
   * Lists open approvals before closed ones, and each of the two newest first.
   * @param after `next` of the previous page @param limit at most 200; default 50
   */
  async list({
    after,
    limit,
  }: {
    after?: string | undefined;
    limit?: number;
  }): Promise<{ approvals: Approval[]; next?: string }> {
    const size = toPageSize(limit);
    const [closedDigit, seq] = after?.split('-') ?? [];
    const followsCursor = sql<boolean>`(p.closed, -p.seq) > (${closedDigit === '1'}, ${-Number(seq)}::bigint)`;
    const query = after === undefined ? this.#select() : this.#select().where(followsCursor);
    const rows = await query
      .orderBy('p.closed')
      .orderBy(sql`-p.seq`)
      .limit(size + 1)
      .execute();
    const lastRow = rows[size - 1];
    const next = rows.length > size && lastRow ? `${Number(lastRow.closed)}-${lastRow.seq}` : undefined;
    return { approvals: rows.slice(0, size), ...(next === undefined ? {} : { next }) };
  }

  /**
   * Whether the operation needs another operator besides this one before it can run: a token requested the operation, and the token
   * may belong to this operator. A token that may approve needs no other operator.
   */
  needsSupport(row: Row, auditContext: AuditContext): boolean {
    return row.asked_account === null && row.supported_account === null && !this.#mayTokenApprove(row, auditContext);
  }

  /** Whether a token may approve this request of a token. The names do not show whether both tokens belong to the same operator. */
  #mayTokenApprove({ asked_account }: Row, { operatorAccount }: AuditContext): boolean {
    const isToken = operatorAccount === undefined && asked_account === null;
    return isToken && this.config.operator.approval === 'operators-and-tokens';
  }

  /** Records the approval of the first of two operators. @throws ApprovalRefused */
  async support(id: string, auditContext: AuditContext, mayDo: RightsCheck): Promise<void> {
    await this.database.transaction(async (trx) => {
      const row = await this.#requireApprovable({ id, auditContext, mayDo }, trx);
      if (!this.needsSupport(row, auditContext)) throw new ApprovalRefused('decided');
      const values = { supported_by: toActorText(auditContext), supported_account: auditContext.operatorAccount ?? null };
      await trx.updateTable('operator_approval').set(values).where('id', '=', id).execute();
      await this.audit.record(toEvent({ kind: KINDS.approved, row, auditContext, extraDetail: { missing: 1 } }), trx);
    });
  }

  /** @returns the condition of the approved operation: it decides the approval, or refuses the operation */
  approve(id: string, auditContext: AuditContext, mayDo: RightsCheck): ChangeCondition {
    return {
      require: async (trx) => {
        const row = await this.#requireApprovable({ id, auditContext, mayDo }, trx);
        if (this.needsSupport(row, auditContext)) throw new ApprovalRefused('decided');
        await this.#decide({ row, decision: 'approved', auditContext }, trx);
        if (row.account_id !== null && mayGiveAdmin(row)) await discardHandedLinks(row.account_id, trx);
      },
    };
  }

  /** Checks that this operator could approve now, before anything else of the operation is checked. @throws ApprovalRefused */
  async check(id: string, auditContext: AuditContext, mayDo: RightsCheck): Promise<void> {
    await this.database.transaction((trx) => this.#requireApprovable({ id, auditContext, mayDo }, trx));
  }

  /** For an export, which runs later. @throws ApprovalRefused */
  async approveExport(id: string, auditContext: AuditContext, mayDo: RightsCheck): Promise<void> {
    await this.database.transaction((trx) => this.approve(id, auditContext, mayDo).require(trx));
  }

  /** @throws ApprovalRefused */
  async reject(id: string, auditContext: AuditContext): Promise<void> {
    await this.database.transaction(async (trx) => {
      const row = await this.#lockOpen(id, trx);
      if (isAsker(row, auditContext)) throw new ApprovalRefused('own');
      await this.#decide({ row, decision: 'rejected', auditContext }, trx);
    });
  }

  /** @throws ApprovalRefused */
  async withdraw(id: string, auditContext: AuditContext): Promise<void> {
    await this.database.transaction(async (trx) => {
      const row = await this.#lockOpen(id, trx);
      if (!isAsker(row, auditContext)) throw new ApprovalRefused('not-own');
      await this.#decide({ row, decision: 'withdrawn', auditContext }, trx);
    });
  }

  /**
   * Stops the operation for the person whose account it would change, with the link from the announcement.
   * @param auditContext the person @throws ApprovalRefused
   */
  async stop(id: string, auditContext: AuditContext): Promise<void> {
    await this.database.transaction(async (trx) => {
      const row = await this.#lockOpen(id, trx);
      await this.#decide({ row, decision: 'stopped', auditContext }, trx);
    });
  }

  /** @returns the condition that uses up an approved export that this operator requested; null if there is none */
  async findExport(body: NewApproval['body'], auditContext: AuditContext): Promise<ChangeCondition | null> {
    const isUsable = sql<boolean>`decision = 'approved' and used_at is null and decided_at > ${this.database.now()} - ${WAIT}`;
    const usableApproval = await this.#matchAsker(this.database.db, auditContext)
      .where('account_id', 'is', null)
      .where(sql<boolean>`body = ${JSON.stringify(body)}::jsonb`)
      .where(isUsable)
      .orderBy('seq')
      .executeTakeFirst();
    if (!usableApproval) return null;
    return {
      require: async (trx) => {
        const update = trx
          .updateTable('operator_approval')
          .set({ used_at: this.database.now() })
          .where('id', '=', usableApproval.id);
        if (!(await update.where(isUsable).returning('id').executeTakeFirst())) throw new ApprovalRefused('used');
      },
    };
  }

  /** Closes at most 500 approvals that have expired, and records the expiry of each. @returns number of closed approvals */
  async expire(): Promise<number> {
    const now = this.database.now();
    return this.database.transaction(async (trx) => {
      const { rows } = await sql<Row>`
        update operator_approval set closed = true, decision = 'expired', decided_at = ${now} where id in (
          select id from operator_approval where not closed and expires_at <= ${now}
          order by expires_at limit ${MAX_EXPIRED} for update skip locked)
        returning *`.execute(trx);
      for (const row of rows)
        await this.audit.record(toEvent({ kind: KINDS.expired, row, auditContext: { actor: 'system' } }), trx);
      return rows.length;
    });
  }

  #select() {
    const isExpired = sql<boolean>`p.decision is null and p.expires_at <= ${this.database.now()}`;
    const stoppedBefore = sql<Date | null>`(
      select max(e.decided_at) from operator_approval e
      where e.account_id = p.account_id and e.operation = p.operation and e.decision = 'stopped' and e.seq < p.seq)`;
    return this.database.db
      .selectFrom('operator_approval as p')
      .leftJoin('account as a', 'a.id', 'p.account_id')
      .selectAll('p')
      .select(['a.username', 'a.display_name', 'a.email', isExpired.as('is_expired'), stoppedBefore.as('stopped_before')]);
  }

  /** @returns the id of the equal approval of this operator that waits; null if there is none */
  async #findWaiting(
    { operation, accountId, body, check }: NewApproval,
    auditContext: AuditContext,
    db: Reader,
  ): Promise<string | null> {
    const waitingApproval = await this.#matchAsker(db, auditContext)
      .where('operation', '=', operation)
      .where(sql<boolean>`account_id is not distinct from ${accountId}::uuid and body = ${JSON.stringify(body)}::jsonb`)
      .where(sql<boolean>`not closed and expires_at > ${this.database.now()}`)
      .where('not_before', check === 'missing' ? 'is not' : 'is', null)
      // An outdated approval can no longer be approved.
      .where(sql<boolean>`basis is not distinct from ${toBasis({ accountId, operation, body })}`)
      .executeTakeFirst();
    return waitingApproval?.id ?? null;
  }

  /** Selects the approvals that this operator or token requested. */
  #matchAsker(db: Reader, auditContext: AuditContext) {
    const account = auditContext.operatorAccount ?? null;
    const approvals = db.selectFrom('operator_approval').select('id');
    if (account !== null) return approvals.where('asked_account', '=', account);
    return approvals.where('asked_account', 'is', null).where('asked_by', '=', toActorText(auditContext));
  }

  /** Locks the account first, like every change, and then the approval. @throws ApprovalRefused */
  async #lockOpen(id: string, trx: Transaction<Schema>): Promise<Row & { is_early: boolean }> {
    if (!isAccountId(id)) throw new ApprovalRefused('not-found');
    const approval = await trx.selectFrom('operator_approval').select('account_id').where('id', '=', id).executeTakeFirst();
    if (approval?.account_id) await lockAccount(approval.account_id, trx);
    const now = this.database.now();
    const row = await trx
      .selectFrom('operator_approval')
      .selectAll()
      .select([
        sql<boolean>`expires_at <= ${now}`.as('is_over'),
        sql<boolean>`coalesce(not_before > ${now}, false)`.as('is_early'),
      ])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw new ApprovalRefused('not-found');
    if (row.decision === 'expired' || (row.decision === null && row.is_over)) throw new ApprovalRefused('expired');
    if (row.decision !== null) throw new ApprovalRefused('decided');
    return row;
  }

  /**
   * Checks all conditions of an approval except `needsSupport`, under the locks of the account and of the approval.
   * @throws ApprovalRefused
   */
  async #requireApprovable(
    { id, auditContext, mayDo }: { id: string; auditContext: AuditContext; mayDo: RightsCheck },
    trx: Transaction<Schema>,
  ): Promise<Row> {
    const row = await this.#lockOpen(id, trx);
    const account = auditContext.operatorAccount ?? null;
    if (isAsker(row, auditContext)) throw new ApprovalRefused('own');
    if (account === null && !this.#mayTokenApprove(row, auditContext)) throw new ApprovalRefused('token');
    if (account !== null && row.supported_account === account) throw new ApprovalRefused('own');
    if (account !== null && row.account_id === account) throw new ApprovalRefused('concerned');
    if (row.is_early) throw new ApprovalRefused('too-early');
    const askerRights = await this.#findAskerRights(row, trx);
    if (!askerRights.every((rights) => mayDo(rights, row.operation))) throw new ApprovalRefused('asker-without-right');
    if (row.account_id !== null && !(await isUnchanged(row, trx))) throw new ApprovalRefused('outdated');
    return row;
  }

  /** @returns the current rights of the operator or token that requested the operation, and of the operator who supported it */
  async #findAskerRights({ asked_account, asked_by, supported_account }: Row, trx: Transaction<Schema>) {
    const accounts = [asked_account, supported_account].filter((id) => id !== null);
    const accountRights: (readonly OperatorRights[])[] = [];
    for (const id of accounts) accountRights.push(await this.rights.findRights(id, trx));
    return asked_account === null ? [findTokenRights(this.config.operator, asked_by), ...accountRights] : accountRights;
  }

  async #decide({ row, decision, auditContext }: MadeDecision, trx: Transaction<Schema>): Promise<void> {
    const values = {
      decision,
      decided_by: toActorText(auditContext),
      decided_account: auditContext.operatorAccount ?? null,
      decided_at: this.database.now(),
      decision_reason: auditContext.reason ?? null,
      closed: true,
    };
    await trx.updateTable('operator_approval').set(values).where('id', '=', row.id).execute();
    await this.audit.record(toEvent({ kind: KINDS[decision], row, auditContext }), trx);
  }
}

interface ApprovalEvent {
  kind: Extract<AuditEvent['kind'], `approval.${string}`>;
  row: Pick<Row, 'id' | 'operation' | 'account_id'>;
  auditContext: AuditContext;
  extraDetail?: { missing?: number; announced?: boolean };
}

function toEvent({ kind, row: { id, operation, account_id }, auditContext, extraDetail }: ApprovalEvent): AuditEvent {
  return {
    ...auditContext,
    kind,
    ...(account_id === null ? {} : { accountId: account_id }),
    detail: { approval: id, operation, ...extraDetail },
  };
}

/** @returns SQL of the state that must stay the same until the approval; null without an account */
function toBasis({ accountId, ...rest }: Pick<NewApproval, 'accountId' | 'operation' | 'body'>): RawBuilder<string> | null {
  return accountId === null ? null : buildBasis({ accountId, ...rest });
}
