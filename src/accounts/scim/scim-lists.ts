/**
 * Lists and counts the people and groups of a SCIM source (RFC 7644, section 3.4.2), by conditions and orders that have an index. Also finds
 * the groups of people and the members of groups.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import type { ScimSettings } from '../../config/source-settings.js';
import { foldText } from '../../contract/folded-text.js';
import { Database } from '../../database/database.js';
import { isAccountId } from '../account/account.js';
import { toEmailKey } from '../account/fields.js';
import { toScimSource } from '../../config/stored-sources.js';
import type { Condition } from './scim-filter.js';
import { GROUP_COLUMNS, toGroup, type ScimGroup } from './scim-groups.js';
import { ScimRefused } from './scim-refused.js';
import { toUser, type ScimUser, type UserColumns } from './scim-users.js';

export interface ListQuery {
  conditions: readonly Condition[];
  /** A path of `ORDERS`, in any case, with or without the schema. Default: `id`. */
  sortBy?: string;
  isDescending: boolean;
  /** Number of entries to skip. */
  offset: number;
  /** Maximum number of entries. If it is 0, the entries are only counted. */
  limit: number;
}

export interface List<T> {
  entries: T[];
  total: number;
}

/** A group of a person. */
export interface Membership {
  id: string;
  name: string;
}

/** Maximum number of members of all groups in one answer. Only a single group may have more. */
const MAX_MEMBERS = 20_000;

const ORDERS: Readonly<Record<'User' | 'Group', Readonly<Record<string, string>>>> = {
  User: {
    id: 'account_id',
    username: 'user_name_key',
    externalid: 'external_id',
    'meta.created': 'created_at',
    'meta.lastmodified': 'modified_at',
  },
  Group: {
    id: 'id',
    displayname: 'display_key',
    externalid: 'external_id',
    'meta.created': 'created_at',
    'meta.lastmodified': 'modified_at',
  },
};

@Injectable()
export class ScimLists {
  constructor(private readonly database: Database) {}

  /** @throws ScimRefused for an order that has no index */
  async listUsers(source: ScimSettings, query: ListQuery): Promise<List<ScimUser>> {
    const where = sql`from scim_user u where u.source = ${toScimSource(source.id)} and u.deleted_at is null ${joinWithAnd(query.conditions.map(toUserSql))}`;
    const columns = sql`u.account_id as id, u.active, u.resource, u.version, u.created_at as resource_created_at, u.modified_at as resource_modified_at`;
    const { entries, total } = await this.#list<UserColumns>({ columns, where, order: toOrder('User', query) }, query);
    return { entries: entries.map(toUser), total };
  }

  /** @throws ScimRefused for an order that has no index */
  async listGroups(source: ScimSettings, query: ListQuery): Promise<List<ScimGroup>> {
    const where = sql`from scim_group g where g.source = ${toScimSource(source.id)} ${joinWithAnd(query.conditions.map(toGroupSql))}`;
    const columns = sql.join(GROUP_COLUMNS.map((column) => sql.ref(`g.${column}`)));
    const order = toOrder('Group', query);
    const { entries, total } = await this.#list<Parameters<typeof toGroup>[0]>({ columns, where, order }, query);
    return { entries: entries.map(toGroup), total };
  }

  /** @returns the groups of people, by the ids of the people; a person without groups is absent */
  async findGroups(accountIds: readonly string[]): Promise<ReadonlyMap<string, Membership[]>> {
    const { rows } = await sql<{ key: string; id: string; name: string }>`
      select m.account_id as key, g.id, g.display_name as name
      from scim_group_member m join scim_group g on g.id = m.group_id
      where m.account_id = any(${accountIds}::uuid[]) order by g.display_key`.execute(this.database.db);
    return toLists(rows);
  }

  /**
   * @returns the ids of the members of groups, by the ids of the groups. If there are too many members for one answer, only the first
   * groups have a list, but at least one group
   */
  async findMembers(groupIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const lists = new Map<string, readonly string[]>();
    let memberCount = 0;
    for (const id of groupIds) {
      const { rows } = await sql<{ id: string }>`
        select account_id as id from scim_group_member where group_id = ${id}::uuid order by account_id`.execute(
        this.database.db,
      );
      memberCount += rows.length;
      if (lists.size > 0 && memberCount > MAX_MEMBERS) break;
      lists.set(
        id,
        rows.map((row) => row.id),
      );
    }
    return lists;
  }

  async #list<Row>(
    { columns, where, order }: Record<'columns' | 'where' | 'order', RawBuilder<unknown>>,
    { offset, limit }: ListQuery,
  ): Promise<List<Row>> {
    const { db } = this.database;
    const result = await sql<{ total: number }>`select count(*)::integer as total ${where}`.execute(db);
    const total = result.rows[0]?.total ?? 0;
    if (limit === 0 || offset >= total) return { entries: [], total };
    const { rows } = await sql<Row>`select ${columns} ${where} order by ${order} limit ${limit} offset ${offset}`.execute(db);
    return { entries: rows, total };
  }
}

function joinWithAnd(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`` : sql`and ${sql.join(conditions, sql` and `)}`;
}

function toUserSql(condition: Condition): RawBuilder<unknown> {
  const { path, value, type } = condition;
  if (path === 'id') return isAccountId(value) ? sql`u.account_id = ${value}::uuid` : sql`false`;
  if (path === 'userName') return sql`u.user_name_key = ${foldText(value.trim())}`;
  if (path === 'externalId') return sql`u.external_id = ${value}`;
  if (path === 'meta.lastModified') return toTimeSql(sql.ref('u.modified_at'), condition);
  const key = toEmailKey(value.trim());
  const hasAddressOfType = sql`exists (select from jsonb_array_elements(u.resource->'emails') one
    where lower(one->>'type') = ${(type ?? '').toLowerCase()} and lower(one->>'value') = ${value.trim().toLowerCase()})`;
  return sql`u.emails @> ${[key]}::text[] ${type === undefined ? sql`` : sql`and ${hasAddressOfType}`}`;
}

function toGroupSql(condition: Condition): RawBuilder<unknown> {
  const { path, value } = condition;
  if (path === 'id') return isAccountId(value) ? sql`g.id = ${value}::uuid` : sql`false`;
  if (path === 'displayName') return sql`g.display_key = ${foldText(value.trim().normalize('NFC'))}`;
  if (path === 'externalId') return sql`g.external_id = ${value}`;
  if (path === 'meta.lastModified') return toTimeSql(sql.ref('g.modified_at'), condition);
  if (!isAccountId(value)) return sql`false`;
  return sql`g.id = any(array(select m.group_id from scim_group_member m where m.account_id = ${value}::uuid))`;
}

/** Alias of the table, and column of the ids. */
const IDS = { User: ['u', 'account_id'], Group: ['g', 'id'] } as const;

const OPERATORS = { eq: '=', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;

function toTimeSql(column: RawBuilder<unknown>, { comparison, value }: Condition): RawBuilder<unknown> {
  return sql`${column} ${sql.raw(OPERATORS[comparison])} ${new Date(value)}::timestamptz`;
}

/** @throws ScimRefused */
function toOrder(resource: 'User' | 'Group', { sortBy, isDescending }: ListQuery): RawBuilder<unknown> {
  const [table, id] = IDS[resource];
  const direction = sql.raw(isDescending ? 'desc' : 'asc');
  const orders = ORDERS[resource];
  const path = sortBy?.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '').toLowerCase() ?? 'id';
  const column = Object.hasOwn(orders, path) ? orders[path] : undefined;
  if (column === undefined) {
    const nameAttribute = resource === 'User' ? 'userName' : 'displayName';
    const message = `This order is not supported. sortBy can be id, ${nameAttribute}, externalId, meta.created or meta.lastModified.`;
    throw new ScimRefused(400, 'invalidValue', message, 'sortBy');
  }
  if (column === id) return sql`${sql.ref(`${table}.${id}`)} ${direction}`;
  return sql`${sql.ref(`${table}.${column}`)} ${direction}, ${sql.ref(`${table}.${id}`)} ${direction}`;
}

function toLists(rows: readonly { key: string; id: string; name: string }[]): ReadonlyMap<string, Membership[]> {
  const lists = new Map<string, Membership[]>();
  for (const { key, id, name } of rows) lists.set(key, [...(lists.get(key) ?? []), { id, name }]);
  return lists;
}
