/**
 * Counts what may need attention in the installation, for the operators' page "Today". Each count stops at `MAX_COUNT` plus one.
 * Every statement uses an index, except the one that reads the grants of operators, of which there are few.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Database } from '../../database/database.js';
import { interval, Statement } from '../../database/statement.js';
import { IS_FAILED, MAX_COUNT } from '../queue/failed-mails.js';

const MAX = MAX_COUNT + 1;
/** Maximum number of names of a row. */
const MAX_NAMES = 10;

/** Mails that wait for another try or were abandoned. */
const MAILS = new Statement<{ max: number }, { abandonedCount: number; waitingCount: number }>(
  'installation-counts.mails',
  ({ param, now }) => {
    const count = (matches: RawBuilder<unknown>) => sql`(select count(*)::integer from (
      select from outbox q where ${IS_FAILED} and ${matches} and coalesce(q.expires_at > ${now}, true)
      limit ${param('max')}::integer) counted)`;
    return sql`select ${count(sql`q.abandoned_at is not null`)} as "abandonedCount", ${count(sql`q.abandoned_at is null`)} as "waitingCount"`;
  },
);

/** Starts from the events that begin a freeze, because the end of a freeze has no index. */
const FROZEN = new Statement<{ seconds: number; max: number }, { count: number }>(
  'installation-counts.frozen',
  ({ param, now }) => sql`
    select count(distinct a.id)::integer as count
    from (
      select e.account_id from audit_event e
      where e.kind = 'account.secured' and e.at > ${now} - ${interval(param('seconds'))}
      order by e.at desc limit ${param('max')}::integer) frozen
    join account a on a.id = frozen.account_id
    where a.credentials_frozen_until > ${now}`,
);

/** Wrong passwords within the last hour, and within the same hour of the day before. */
const WRONG_PASSWORDS = new Statement<{ max: number }, { lastHour: number; dayBefore: number }>(
  'installation-counts.wrong-passwords',
  ({ param, now }) => {
    const count = (end: RawBuilder<unknown>) => sql`(select count(*)::integer from (
      select from audit_event e
      where e.kind = 'password.refused' and e.at > ${end} - interval '1 hour' and e.at <= ${end}
      limit ${param('max')}::integer) counted)`;
    return sql`select ${count(now)} as "lastHour", ${count(sql`${now} - interval '1 day'`)} as "dayBefore"`;
  },
);

/** Changes that were made with a token, which has no account. */
const TOKENS = new Statement<{ seconds: number; max: number }, { name: string; count: number }>(
  'installation-counts.tokens',
  ({ param, now }) => sql`
    select coalesce(used.operator_name, 'OPERATOR_TOKEN') as name, count(*)::integer as count
    from (
      select e.operator_name from audit_event e
      where e.actor = 'operator' and e.at > ${now} - ${interval(param('seconds'))}
        and not coalesce(e.detail ? 'operatorAccount', false)
      order by e.at desc limit ${param('max')}::integer) used
    group by 1 order by 2 desc, 1`,
);

const ENDING_ADMINS = new Statement<{ seconds: number; max: number }, { username: string }>(
  'installation-counts.ending-admins',
  ({ param, now }) => sql`
    select a.username from operator_grant g join account a on a.id = g.account_id
    where g.right_name = 'admin' and g.ends_at > ${now} and g.ends_at <= ${now} + ${interval(param('seconds'))}
      and a.status = 'active'
    order by g.ends_at limit ${param('max')}::integer`,
);

const APPROVALS = new Statement<{ max: number }, { count: number; id: string | null }>(
  'installation-counts.approvals',
  ({ param, now }) => sql`
    select count(*)::integer as count, min(counted.id::text) as id from (
      select p.id from operator_approval p where not p.closed and p.expires_at > ${now}
      limit ${param('max')}::integer) counted`,
);

const SIGN_UPS = new Statement<{ max: number }, { count: number }>(
  'installation-counts.sign-ups',
  ({ param, now }) => sql`
    select count(*)::integer as count from (
      select from sign_up_application where expires_at > ${now} order by expires_at limit ${param('max')}::integer) counted`,
);

/** A count, and the names of the counted objects if they have names. */
export interface NamedCount {
  count: number;
  /** At most 10. */
  names: string[];
}

@Injectable()
export class InstallationCounts {
  constructor(private readonly database: Database) {}

  /** Omits mails whose link or code has expired, because operators can do nothing about them. */
  async countMails(): Promise<{ abandonedCount: number; waitingCount: number }> {
    const [row] = await this.database.run(MAILS, { max: MAX });
    return row ?? { abandonedCount: 0, waitingCount: 0 };
  }

  /** @param seconds how long ago the freezes may have begun */
  async countFrozenAccounts(seconds: number): Promise<number> {
    const [row] = await this.database.run(FROZEN, { seconds, max: MAX });
    return row?.count ?? 0;
  }

  /** @returns the wrong passwords within the last hour, and within the same hour of the day before */
  async countWrongPasswords(): Promise<{ lastHour: number; dayBefore: number }> {
    const [row] = await this.database.run(WRONG_PASSWORDS, { max: MAX });
    return row ?? { lastHour: 0, dayBefore: 0 };
  }

  /** @returns the number of changes with tokens, and the names of the tokens; `OPERATOR_TOKEN` stands for the token without a name */
  async countTokenUses(seconds: number): Promise<NamedCount> {
    const rows = await this.database.run(TOKENS, { seconds, max: MAX });
    return { count: rows.reduce((sum, { count }) => sum + count, 0), names: rows.slice(0, MAX_NAMES).map(({ name }) => name) };
  }

  /** @returns the number of operations that wait for a second operator, and the id of the approval if there is only one */
  async countApprovals(): Promise<{ count: number; id: string | null }> {
    const [row] = await this.database.run(APPROVALS, { max: MAX });
    return row?.count === 1 ? row : { count: row?.count ?? 0, id: null };
  }

  /** @returns the number of people who signed up and wait for a decision */
  async countSignUps(): Promise<number> {
    return (await this.database.run(SIGN_UPS, { max: MAX }))[0]?.count ?? 0;
  }

  /** @returns the accounts whose right `admin` ends within these seconds */
  async countEndingAdmins(seconds: number): Promise<NamedCount> {
    const rows = await this.database.run(ENDING_ADMINS, { seconds, max: MAX });
    return { count: rows.length, names: rows.slice(0, MAX_NAMES).map(({ username }) => username) };
  }
}
