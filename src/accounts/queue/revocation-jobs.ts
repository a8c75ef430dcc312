/**
 * The queue of the jobs that end sessions and grants at Hydra after they have ended in Foyer. Unless the sessions have ended before, a job
 * is written in the transaction that ends them, so that apps lose access even after an outage or the end of this process.
 * `hydra/revocation-runner.ts` performs the jobs.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { Database } from '../../database/database.js';
import type { Schema, RevocationJobTable } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { findSubjectSql } from '../account/account-subjects.js';
import { AuditLog } from '../audit/audit-log.js';
import { LeaseQueue, type Claim } from './lease-queue.js';

/** The process that queued a job can run it immediately (`claimForAccount`); workers that claim due jobs wait this long. */
const HEAD_START = sql.raw(`interval '10 seconds'`);

export interface RevocationJob extends Claim {
  accountId: string;
  /** `named`: only the listed sessions. `sessions`: all sessions of the person. `everything`: also grants and tokens. */
  kind: RevocationJobTable['kind'];
  /** The session ids at Hydra that Foyer knows. In a new job also ids with `UNNAMED_PREFIX`, which are left out. */
  sessionIds: string[];
  /** The subject that identifies the account at Hydra. */
  subject: string;
}

export type NewRevocationJob = Omit<RevocationJob, 'id' | 'tries' | 'subject'>;

interface RevocationJobRow extends Claim {
  account_id: string;
  kind: RevocationJob['kind'];
  session_ids: string[];
  subject: string;
}

const QUEUE = new LeaseQueue<RevocationJobRow>({
  table: 'revocation_job',
  // Longer than Hydra needs to end many sessions, even if it is slow.
  leaseSeconds: 120,
  retry: { firstSeconds: 10, growth: 3, longestSeconds: 15 * 60 },
  columns: () =>
    sql`q.account_id, q.kind, q.session_ids,
      coalesce(q.subject, ${findSubjectSql(sql.ref('q.account_id'))}, q.account_id::text) as subject`,
});

const COUNT = new Statement<Record<string, never>, { waiting: number; oldest: number }>(
  'revocation-job.count',
  ({ now }) => sql`
    select count(*) as waiting,
      coalesce(greatest(extract(epoch from ${now} - min(created_at)), 0), 0)::double precision as oldest
    from revocation_job`,
);

const EXISTS = new Statement<{ id: number }, { id: number }>(
  'revocation-job.exists',
  ({ param }) => sql`select id from revocation_job where id = ${param('id')}`,
);

@Injectable()
export class RevocationJobs {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** Does the same as `queueRevocation`. @param trx the transaction that ends the sessions; absent if they have already ended */
  async queue(job: NewRevocationJob, trx?: Transaction<Schema>): Promise<void> {
    await queueRevocation({ ...job, now: this.database.now() }, trx ?? this.database.db);
  }

  /** @returns at most `max` due jobs */
  async claim(max: number): Promise<RevocationJob[]> {
    return (await QUEUE.claim(this.database, max)).map(toRevocationJob);
  }

  /** @returns all jobs of one account. A job may run twice at the same time, because jobs are idempotent */
  async claimForAccount(accountId: string): Promise<RevocationJob[]> {
    return (await QUEUE.claimForAccount(this.database, accountId)).map(toRevocationJob);
  }

  async count(): Promise<{ waiting: number; oldestSeconds: number }> {
    const [row] = await this.database.run(COUNT, {});
    return { waiting: row?.waiting ?? 0, oldestSeconds: row?.oldest ?? 0 };
  }

  async isFinished({ id }: RevocationJob): Promise<boolean> {
    return (await this.database.run(EXISTS, { id })).length === 0;
  }

  /**
   * Removes a job that was performed. Records an audit event only if it needed more than one try: other jobs are covered by the event of
   * the change that queued them.
   */
  async finish({ id, tries, accountId }: RevocationJob): Promise<void> {
    await this.database.transaction(async (trx) => {
      const { numDeletedRows } = await trx.deleteFrom('revocation_job').where('id', '=', id).executeTakeFirst();
      if (numDeletedRows === 0n || tries === 1) return;
      const detail = { outcome: 'ended', tries };
      await this.audit.record({ actor: 'system', kind: 'upstream-sessions.ended', accountId, detail }, trx);
    });
  }

  postpone(job: RevocationJob): Promise<void> {
    return QUEUE.postpone(this.database, job);
  }
}

/**
 * Queues a job, unless it is `named` and none of its sessions has an id at Hydra.
 * @param db the transaction that ends the sessions; the database if they have already ended
 */
export async function queueRevocation(
  { accountId, kind, sessionIds, now }: NewRevocationJob & { now: RawBuilder<Date> },
  db: Pick<Transaction<Schema>, 'insertInto'>,
): Promise<void> {
  // A session without an id at Hydra cannot be ended by id.
  const session_ids = sessionIds.filter((id) => !id.startsWith(UNNAMED_PREFIX));
  if (kind === 'named' && session_ids.length === 0) return;
  const next_try_at = sql<Date>`${now} + ${HEAD_START}`;
  // The subject is read now, because a deleted account no longer has a stored subject.
  const subject = findSubjectSql(sql`${accountId}::uuid`);
  const row = { account_id: accountId, kind, session_ids, subject, created_at: now, next_try_at };
  await db.insertInto('revocation_job').values(row).execute();
}

/** Prefix of the id of a session that has no id at Hydra. */
export const UNNAMED_PREFIX = 'unnamed:';

function toRevocationJob({ id, tries, account_id, kind, session_ids, subject }: RevocationJobRow): RevocationJob {
  return { id, tries, accountId: account_id, kind, sessionIds: session_ids, subject };
}
