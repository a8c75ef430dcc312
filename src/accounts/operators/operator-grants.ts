/**
 * Grants operator rights to accounts, with or without an end, and revokes them. Every change is recorded in the audit log in the
 * same transaction. A grant that has ended stays in the table and has no effect. Also lists operators.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import { OPERATOR_RIGHTS, type Config, type OperatorRights } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import { Database } from '../../database/database.js';
import { toPageSize } from '../../database/row-pages.js';
import type { AccountRow, Schema } from '../../database/schema.js';
import { Statement, type Placeholders } from '../../database/statement.js';
import { lockAccount } from '../account/lock.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { discardHandedLinks } from '../secrets/one-time-secrets.js';
import { AccountRights, isInForce, isScimAccount } from './account-rights.js';
import { toActorText } from './operator-identity.js';

export interface NewGrant {
  accountId: string;
  right: OperatorRights;
  /** Null if the right does not end. */
  endsAt: Date | null;
}

/** A right of an operator, and where it comes from. Rights by a setting have no dates. */
export interface HeldRight {
  right: OperatorRights;
  by: 'grant' | 'setting';
  grantedAt: Date | null;
  /** The actor as in the audit log: `operator`, or `operator:` and a name. */
  grantedBy: string | null;
  endsAt: Date | null;
  reason: string | null;
}

export interface Operator extends Pick<AccountRow, 'id' | 'username' | 'display_name' | 'status'> {
  rights: HeldRight[];
}

interface OperatorFields extends Pick<
  AccountRow,
  'id' | 'username' | 'username_key' | 'display_name' | 'status' | 'group_name' | 'groups' | 'attributes'
> {
  of_scim: boolean;
  grants: { right: string; grantedAt: string; grantedBy: string; endsAt: string | null; reason: string | null }[];
}

const COLUMNS = ['id', 'username', 'username_key', 'display_name', 'status', 'group_name', 'groups', 'attributes'];

function operatorFields({ now }: Pick<Placeholders<Record<string, unknown>>, 'now'>) {
  return sql`${sql.join(COLUMNS.map((column) => sql.ref(`a.${column}`)))}, ${isScimAccount('a')} as of_scim, (
    select coalesce(jsonb_agg(jsonb_build_object('right', g.right_name, 'grantedAt', g.granted_at, 'grantedBy', g.granted_by,
      'endsAt', g.ends_at, 'reason', g.reason)), '[]')
    from operator_grant g where g.account_id = a.id and ${isInForce('g', now)}) as grants`;
}

const FIND = new Statement<{ account: string }, OperatorFields>(
  'operator-grant.find',
  ({ param, now }) => sql`select ${operatorFields({ now })} from account a where a.id = ${param('account')}::uuid`,
);

type ListValues = { groups: readonly string[]; after: string; max: number };

/**
 * The conditions on groups repeat those of the partial indexes `account_group` and `account_groups`. The account of each operator is
 * found by its id: the planner expects groups to be large, and would otherwise read all accounts (`offset 0` prevents it).
 */
const LIST = new Statement<ListValues, OperatorFields>(
  'operator-grant.list',
  ({ param, now }) => sql`
    with operator as materialized (
      select g.account_id as id from operator_grant g where ${isInForce('g', now)}
      union
      select id from account where group_name is not null and group_name collate "C" = any(${param('groups')}::text[])
      union
      select id from account where groups <> '{}' and groups && ${param('groups')}::text[]
    )
    select ${operatorFields({ now })}
    from operator o cross join lateral (select * from account where account.id = o.id offset 0) a
    where a.username_key > ${param('after')}::text collate "C"
    order by a.username_key limit ${param('max')}::integer`,
);

@Injectable()
export class OperatorGrants {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly rights: AccountRights,
    @Inject(CONFIG) private readonly config: Pick<Config, 'operator'>,
  ) {}

  /**
   * Grants a right. An earlier grant of the same right to the account is replaced. Links that were handed out end, because anybody who
   * knows one could become the operator.
   * @returns `past` if the end is not in the future
   */
  async grant(
    { accountId, right, endsAt }: NewGrant,
    auditContext: AuditContext,
  ): Promise<'granted' | 'gone' | 'disabled' | 'past'> {
    const { database, audit } = this;
    return database.transaction(async (trx) => {
      const account = await lockAccount(accountId, trx);
      if (!account) return 'gone';
      if (account.status !== 'active') return 'disabled';
      const now = database.now();
      if (endsAt !== null && !(await this.#isLater(endsAt, trx))) return 'past';
      await auditContext.condition?.require(trx);
      const values = {
        granted_at: now,
        granted_by: toActorText(auditContext),
        ends_at: endsAt,
        reason: auditContext.reason ?? null,
      };
      await trx
        .insertInto('operator_grant')
        .values({ account_id: accountId, right_name: right, ...values })
        .onConflict((conflict) => conflict.columns(['account_id', 'right_name']).doUpdateSet(values))
        .execute();
      await discardHandedLinks(accountId, trx);
      const detail = { right, ...defined({ until: endsAt?.toISOString() }) };
      await audit.record({ ...auditContext, kind: 'operator.granted', accountId, detail }, trx);
      return 'granted';
    });
  }

  /** @returns false if the account does not have the right by a grant that has not ended */
  async revoke({ accountId, right }: Omit<NewGrant, 'endsAt'>, auditContext: AuditContext): Promise<boolean> {
    const { database, audit } = this;
    return database.transaction(async (trx) => {
      const removedGrant = await trx
        .deleteFrom('operator_grant')
        .where('account_id', '=', accountId)
        .where('right_name', '=', right)
        .where(isInForce('operator_grant', database.now()))
        .returning('ends_at')
        .executeTakeFirst();
      if (!removedGrant) return false;
      const detail = { right, ...defined({ until: removedGrant.ends_at?.toISOString() }) };
      await audit.record({ ...auditContext, kind: 'operator.revoked', accountId, detail }, trx);
      return true;
    });
  }

  /** @returns the account with its rights, even if it has no rights; null if there is no such account */
  async find(accountId: string): Promise<Operator | null> {
    const [row] = await this.database.run(FIND, { account: accountId });
    return row ? this.#toOperator(row) : null;
  }

  /**
   * Lists operators by username. Accounts that are operators only by an attribute are left out, because attributes have no index.
   * @param after `next` of the previous page: the key of its last username
   * @param limit at most 200; default 50
   */
  async list({ after = '', limit }: { after?: string; limit?: number }): Promise<{ operators: Operator[]; next?: string }> {
    const size = toPageSize(limit);
    const groups = this.config.operator.rules.flatMap((rule) => ('group' in rule ? [rule.group] : []));
    const foundRows = await this.database.run(LIST, { groups, after, max: size + 1 });
    const rows = foundRows.slice(0, size);
    const next = foundRows.length > size ? rows.at(-1)?.username_key : undefined;
    // Leaves out accounts that only have rights that a newer version defines, or only groups that a SCIM source writes.
    const operators = rows.map((row) => this.#toOperator(row)).filter(({ rights }) => rights.length > 0);
    return { operators, ...defined({ next }) };
  }

  /** Compares with the time of the database, which also decides when the grant ends. */
  async #isLater(end: Date, trx: Transaction<Schema>): Promise<boolean> {
    const { rows } = await sql<{ is_later: boolean }>`select ${end}::timestamptz > ${this.database.now()} as is_later`.execute(
      trx,
    );
    return rows[0]?.is_later === true;
  }

  #toOperator({ id, username, display_name, status, grants, ...fields }: OperatorFields): Operator {
    const settingRights = this.rights.findBySetting(fields);
    const rights = OPERATOR_RIGHTS.flatMap((right): HeldRight[] => [
      ...grants.filter((grant) => grant.right === right).map((grant) => toHeldRight(right, grant)),
      ...(settingRights.includes(right) ? [{ right, by: 'setting' as const, ...EMPTY_GRANT_FIELDS }] : []),
    ]);
    return { id, username, display_name, status, rights };
  }
}

const EMPTY_GRANT_FIELDS = { grantedAt: null, grantedBy: null, endsAt: null, reason: null };

function toHeldRight(right: OperatorRights, grant: OperatorFields['grants'][number]): HeldRight {
  const { grantedAt, grantedBy, endsAt, reason } = grant;
  return {
    right,
    by: 'grant',
    grantedAt: new Date(grantedAt),
    grantedBy,
    endsAt: endsAt === null ? null : new Date(endsAt),
    reason,
  };
}
