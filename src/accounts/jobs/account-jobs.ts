/**
 * Jobs on many accounts: the accounts, the progress and the failures. The accounts are stored when a job starts, so that none is
 * processed twice and accounts that match later are not processed. A worker leases a job, processes a part of it, and gives it back.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { Database } from '../../database/database.js';
import { isCursor, toPageSize } from '../../database/row-pages.js';
import type { AccountJobTable, Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { selectMatchingSql, type AccountQuery } from '../account/account-list.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { toOwner } from '../operators/operator-identity.js';
import { LeaseQueue, type Claim } from '../queue/lease-queue.js';

/** Maximum number of accounts of one job. */
export const MAX_JOB_ACCOUNTS = 100_000;

export interface NewAccountJob {
  action: string;
  /** Days until a scheduled deletion. */
  days: number | null;
  /** As the operator entered it, for display. */
  filter: Readonly<Record<string, string>>;
  query: AccountQuery;
  /** Number of accounts that the operator has confirmed. */
  count: number;
}

export interface AccountJob {
  id: number;
  owner: string;
  action: string;
  days: number | null;
  filter: Readonly<Record<string, string>>;
  state: AccountJobTable['state'];
  stopCause: AccountJobTable['stop_cause'];
  total: number;
  done: number;
  failed: number;
  createdAt: Date;
  endedAt: Date | null;
  auditContext: AuditContext & { actor: 'operator'; address: string; requestId: string };
}

/**
 * `count-changed`: the number of matching accounts is not the confirmed number. `running`: the operator already has a running job.
 * `too-many`: more accounts match than a job may have.
 */
export type JobStartOutcome =
  | { kind: 'started'; job: AccountJob }
  | { kind: 'count-changed'; count: number }
  | { kind: 'running' | 'too-many' };

export interface JobFailure {
  ordinal: number;
  accountId: string;
  username: string | null;
  fault: string;
}

type JobRow = Omit<AccountJobTable, 'id' | 'filter' | 'done' | 'failed' | 'ended_at' | 'tries' | 'claimed_until'> & {
  id: number;
  filter: Readonly<Record<string, string>>;
  done: number;
  failed: number;
  ended_at: Date | null;
};

const COLUMNS = [
  'id',
  'owner',
  'account_id',
  'operator_name',
  'address',
  'request_id',
  'reason',
  'action',
  'days',
  'filter',
  'state',
  'stop_cause',
  'total',
  'done',
  'failed',
  'created_at',
  'next_try_at',
  'ended_at',
] as const;

const QUEUE = new LeaseQueue<JobRow & Claim>({
  table: 'account_job',
  // Longer than a worker processes accounts before it gives the job back, and longer than one account takes.
  leaseSeconds: 180,
  // A job that is given back is due immediately, behind the others. With a delay, the workers would process only 20 accounts in each interval.
  retry: { firstSeconds: 0, growth: 1, longestSeconds: 0 },
  columns: () => sql.join(COLUMNS.filter((name) => name !== 'id').map((name) => sql.ref(`q.${name}`))),
  isWaiting: sql<boolean>`state = 'running'`,
});

/** Takes the next account of a job that was not stopped. */
const BEGIN_ITEM = new Statement<{ job: number }, { ordinal: number; account_id: string }>(
  'account-job.begin-item',
  ({ param }) => sql`
    update account_job_item i set state = 'begun'
    where i.job_id = ${param('job')}::bigint and i.ordinal = (
      select w.ordinal from account_job_item w
      where w.job_id = ${param('job')}::bigint and w.state = 'waiting'
        and exists (select from account_job j where j.id = ${param('job')}::bigint and j.state = 'running')
      order by w.ordinal limit 1 for update skip locked)
    returning i.ordinal, i.account_id`,
);

const FINISH_ITEM = new Statement<{ job: number; ordinal: number; fault: string | null }, never>(
  'account-job.finish-item',
  ({ param }) => sql`
    with finished as (
      update account_job_item set state = case when ${param('fault')}::text is null then 'done' else 'failed' end, fault = ${param('fault')}::text
      where job_id = ${param('job')}::bigint and ordinal = ${param('ordinal')}::integer and state = 'begun'
      returning state
    )
    update account_job set done = done + (select count(*) from finished where state = 'done'),
      failed = failed + (select count(*) from finished where state = 'failed')
    where id = ${param('job')}::bigint`,
);

/**
 * Fails accounts that a worker began and did not finish. They are not tried again, because part of the work, such as a mail, may
 * have been done.
 */
const FAIL_INTERRUPTED = new Statement<{ job: number }, never>(
  'account-job.fail-interrupted',
  ({ param }) => sql`
    with failed as (
      update account_job_item set state = 'failed', fault = 'interrupted' where job_id = ${param('job')}::bigint and state = 'begun'
      returning ordinal
    )
    update account_job set failed = failed + (select count(*) from failed)
    where id = ${param('job')}::bigint and exists (select from failed)`,
);

@Injectable()
export class AccountJobs {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** Stores the accounts if their number is the confirmed number. */
  async start(
    newJob: NewAccountJob,
    auditContext: AuditContext & { address: string; requestId: string },
  ): Promise<JobStartOutcome> {
    const { action, days, filter, query, count } = newJob;
    const now = this.database.now();
    const owner = toOwner(auditContext);
    const values = {
      ...{ owner, action, days, filter: JSON.stringify(filter), state: 'running' as const, stop_cause: null, total: count },
      ...{
        account_id: auditContext.operatorAccount ?? null,
        operator_name: auditContext.operator ?? null,
        reason: auditContext.reason ?? null,
      },
      ...{ address: auditContext.address, request_id: auditContext.requestId, created_at: now, next_try_at: now },
    };
    return this.database.transaction(async (trx): Promise<JobStartOutcome> => {
      const job = await trx
        .insertInto('account_job')
        .values(values)
        .onConflict((conflict) => conflict.column('owner').where('state', '=', 'running').doNothing())
        .returning(COLUMNS)
        .executeTakeFirst();
      if (job === undefined) return { kind: 'running' };
      const { numAffectedRows = 0n } = await sql`
        insert into account_job_item (job_id, ordinal, account_id)
        select ${job.id}, row_number() over (), id from (${selectMatchingSql(query, MAX_JOB_ACCOUNTS + 1)}) matching`.execute(
        trx,
      );
      const matchCount = Number(numAffectedRows);
      if (matchCount !== count || matchCount > MAX_JOB_ACCOUNTS) {
        await trx.deleteFrom('account_job').where('id', '=', job.id).execute();
        return matchCount > MAX_JOB_ACCOUNTS ? { kind: 'too-many' } : { kind: 'count-changed', count: matchCount };
      }
      const event = { ...auditContext, kind: 'job.started', detail: { action, accounts: matchCount }, job: job.id } as const;
      await this.audit.record(event, trx);
      return { kind: 'started', job: toJob(job) };
    });
  }

  /** @param cursor id of the last job of the previous page @returns newest first */
  async list({ cursor, limit }: { cursor?: string; limit?: number }): Promise<{ jobs: AccountJob[]; nextCursor?: string }> {
    const size = toPageSize(limit);
    let query = this.database.db
      .selectFrom('account_job')
      .select(COLUMNS)
      .orderBy('id', 'desc')
      .limit(size + 1);
    if (cursor !== undefined) query = query.where('id', '<', isCursor(cursor) ? Number(cursor) : 0);
    const foundRows = await query.execute();
    const jobs = foundRows.slice(0, size).map(toJob);
    const lastJob = jobs.at(-1);
    return { jobs, ...(foundRows.length > size && lastJob ? { nextCursor: String(lastJob.id) } : {}) };
  }

  async find(id: number): Promise<AccountJob | null> {
    const row = await this.database.db.selectFrom('account_job').select(COLUMNS).where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toJob(row);
  }

  /** @returns the accounts that failed, in the order in which they were tried */
  async listFailures(
    id: number,
    { cursor = '0', limit }: { cursor?: string; limit?: number },
  ): Promise<{ failures: JobFailure[]; nextCursor?: string }> {
    const size = toPageSize(limit);
    const foundRows = await this.database.db
      .selectFrom('account_job_item as i')
      .leftJoin('account as a', 'a.id', 'i.account_id')
      .select(['i.ordinal', 'i.account_id', 'i.fault', 'a.username'])
      .where('i.job_id', '=', id)
      .where('i.state', '=', sql.lit('failed'))
      // A cursor may exceed the type of the column.
      .where('i.ordinal', '>', sql<number>`${isCursor(cursor) ? Number(cursor) : 0}::bigint`)
      .orderBy('i.ordinal')
      .limit(size + 1)
      .execute();
    const failures = foundRows
      .slice(0, size)
      .map(({ ordinal, account_id: accountId, username, fault }) => ({ ordinal, accountId, username, fault: fault ?? '' }));
    const lastFailure = failures.at(-1);
    return { failures, ...(foundRows.length > size && lastFailure ? { nextCursor: String(lastFailure.ordinal) } : {}) };
  }

  /** The account in progress is still finished. Idempotent. @returns false if there is no such job, or if it has already ended */
  async stop(id: number, cause: 'operator' | 'rights', auditContext: AuditContext): Promise<boolean> {
    return this.database.transaction((trx) => this.#end({ id, state: 'stopped', cause }, auditContext, trx));
  }

  /** @returns a due job, which no other worker takes until its lease ends; null if none is due */
  async claim(): Promise<(Claim & { job: AccountJob }) | null> {
    const [row] = await QUEUE.claim(this.database, 1);
    if (row === undefined) return null;
    await this.database.run(FAIL_INTERRUPTED, { job: row.id });
    return { id: row.id, tries: row.tries, job: toJob(row) };
  }

  /** Gives back a job that is not finished. */
  async giveBack(claim: Claim): Promise<void> {
    await QUEUE.postpone(this.database, claim);
  }

  /** @returns the next account; null if none remains, or if the job was stopped */
  async beginItem(job: number): Promise<{ ordinal: number; accountId: string } | null> {
    const [row] = await this.database.run(BEGIN_ITEM, { job });
    return row ? { ordinal: row.ordinal, accountId: row.account_id } : null;
  }

  async finishItem(job: number, ordinal: number, fault: string | null): Promise<void> {
    await this.database.run(FINISH_ITEM, { job, ordinal, fault });
  }

  /** Does nothing for a job that was stopped. */
  async finish({ id, auditContext }: AccountJob): Promise<void> {
    await this.database.transaction((trx) => this.#end({ id, state: 'done', cause: null }, auditContext, trx));
  }

  async #end(
    { id, state, cause }: { id: number; state: 'done' | 'stopped'; cause: AccountJob['stopCause'] },
    auditContext: AuditContext,
    trx: Transaction<Schema>,
  ): Promise<boolean> {
    const endedJob = await trx
      .updateTable('account_job')
      .set({ state, stop_cause: cause, ended_at: this.database.now(), claimed_until: null })
      .where('id', '=', id)
      .where('state', '=', 'running')
      .returning(['action', 'done', 'failed'])
      .executeTakeFirst();
    if (endedJob === undefined) return false;
    // The account in progress is neither done nor left.
    const { left } = await trx
      .selectFrom('account_job_item')
      .select(({ fn }) => fn.countAll<number>().as('left'))
      .where('job_id', '=', id)
      .where('state', '=', sql.lit('waiting'))
      .executeTakeFirstOrThrow();
    const { action, done, failed } = endedJob;
    const detail = { action, accounts: done, failed, left, state: cause ?? state };
    await this.audit.record({ ...auditContext, kind: 'job.ended', detail, job: id }, trx);
    return true;
  }
}

function toJob(row: JobRow): AccountJob {
  const { id, owner, action, days, filter, state, total, done, failed } = row;
  return {
    ...{ id, owner, action, days, filter, state, total, done, failed },
    stopCause: row.stop_cause,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    auditContext: {
      actor: 'operator',
      address: row.address,
      requestId: row.request_id,
      job: id,
      ...(row.operator_name === null ? {} : { operator: row.operator_name }),
      ...(row.account_id === null ? {} : { operatorAccount: row.account_id }),
      ...(row.reason === null ? {} : { reason: row.reason }),
    },
  };
}
