/**
 * What has ended here and has to end at the OAuth server too. Written in the transaction of the ending, so that neither a
 * silent server nor the end of this process leaves apps with what a reset took away; carried out by `hydra/revocations.ts`.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import { Database } from '../../database/database.js';
import type { Schema, RevocationJobTable } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { AuditLog } from '../audit/audit-log.js';

/** Longer than a slow server takes for many sessions. */
const LEASE = sql.raw(`interval '2 minutes'`);
/** Whoever wrote it tries at once; until then nobody else does. */
const HEAD_START = sql.raw(`interval '10 seconds'`);

export interface RevocationJob {
  id: number;
  /** From 1 on: which try this is. */
  tries: number;
  accountId: string;
  /** `named`: only the sessions that it names. `sessions`: all of the person. `everything`: what apps may do for them too. */
  kind: RevocationJobTable['kind'];
  /** As the OAuth server calls those that were known here. */
  sessionIds: string[];
}

interface RevocationJobRow {
  id: number;
  tries: number;
  account_id: string;
  kind: RevocationJob['kind'];
  session_ids: string[];
}

const RETURNING = sql.raw('returning j.id, j.tries, j.account_id, j.kind, j.session_ids');

const CLAIM = new Statement<{ most: number }, RevocationJobRow>(
  'revocation-job.claim',
  ({ slot, now }) => sql`
    update revocation_job j set claimed_until = ${now} + ${LEASE}, tries = j.tries + 1
    where id = any (array(
      select id from revocation_job
      where next_try_at <= ${now} and (claimed_until is null or claimed_until <= ${now})
      order by next_try_at limit ${slot('most')}::integer for update skip locked))
    ${RETURNING}`,
);

/** Whoever else is at it does nothing that may not happen twice. */
const CLAIM_OF = new Statement<{ account: string }, RevocationJobRow>(
  'revocation-job.claim-of',
  ({ slot, now }) => sql`
    update revocation_job j set claimed_until = ${now} + ${LEASE}, tries = j.tries + 1
    where account_id = ${slot('account')}::uuid
    ${RETURNING}`,
);

const LATER = new Statement<{ id: number; tries: number; seconds: number }, never>(
  'revocation-job.later',
  ({ slot, now }) => sql`
    update revocation_job
    set claimed_until = null, next_try_at = ${now} + ${slot('seconds')}::double precision * interval '1 second'
    where id = ${slot('id')} and tries = ${slot('tries')}`,
);

const COUNT = new Statement<Record<string, never>, { waiting: number; oldest: number }>(
  'revocation-job.count',
  ({ now }) => sql`
    select count(*) as waiting,
      coalesce(greatest(extract(epoch from ${now} - min(created_at)), 0), 0)::double precision as oldest
    from revocation_job`,
);

@Injectable()
export class RevocationJobs {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  async queue(purpose: Omit<RevocationJob, 'id' | 'tries'>, trx?: Transaction<Schema>): Promise<void> {
    await queueRevocation({ ...purpose, now: this.database.now() }, trx ?? this.database.db);
  }

  /** @returns at most so many whose time has come */
  async claim(most: number): Promise<RevocationJob[]> {
    return (await this.database.run(CLAIM, { most })).map(toRevocationJob);
  }

  /** @returns all of one account, whenever they would come */
  async claimOf(accountId: string): Promise<RevocationJob[]> {
    return (await this.database.run(CLAIM_OF, { account: accountId })).map(toRevocationJob);
  }

  async count(): Promise<{ waiting: number; oldestSeconds: number }> {
    const [row] = await this.database.run(COUNT, {});
    return { waiting: row?.waiting ?? 0, oldestSeconds: row?.oldest ?? 0 };
  }

  /** The audit log records a job that needed more than one try; otherwise it has the event that the job came from. */
  async done({ id, tries, accountId }: RevocationJob): Promise<void> {
    await this.database.transaction(async (trx) => {
      const { numDeletedRows } = await trx.deleteFrom('revocation_job').where('id', '=', id).executeTakeFirst();
      if (numDeletedRows === 0n || tries === 1) return;
      const detail = { outcome: 'ended', tries };
      await this.audit.record({ actor: 'system', kind: 'upstream-sessions.ended', accountId, detail }, trx);
    });
  }

  async later({ id, tries }: RevocationJob, seconds: number): Promise<void> {
    await this.database.run(LATER, { id, tries, seconds });
  }
}

/** Part of changes that end sessions in their own transaction. */
export async function queueRevocation(
  { accountId, kind, sessionIds, now }: Omit<RevocationJob, 'id' | 'tries'> & { now: RawBuilder<Date> },
  db: Pick<Transaction<Schema>, 'insertInto'>,
): Promise<void> {
  // What never had a name at the OAuth server cannot be ended by one.
  const session_ids = sessionIds.filter((id) => !id.startsWith(UNNAMED));
  if (kind === 'named' && session_ids.length === 0) return;
  const next_try_at = sql<Date>`${now} + ${HEAD_START}`;
  const row = { account_id: accountId, kind, session_ids, created_at: now, next_try_at };
  await db.insertInto('revocation_job').values(row).execute();
}

/** Begins the id of a session that the OAuth server gave none. */
export const UNNAMED = 'unnamed:';

function toRevocationJob({ id, tries, account_id, kind, session_ids }: RevocationJobRow): RevocationJob {
  return { id, tries, accountId: account_id, kind, sessionIds: session_ids };
}
