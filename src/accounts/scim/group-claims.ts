/**
 * Copies the groups of a SCIM source to its accounts, if the settings of the source require it. Writes many accounts with few
 * statements, because a group may have many thousands of members.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import type { ScimSettings } from '../../config/source-settings.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { selectGroups } from '../../sources/group-selection.js';
import { AuditLog, toEventValues, type AuditContext, type AuditEvent } from '../audit/audit-log.js';
import { insertEvent } from '../audit/insert-event.js';

const BATCH = 1000;

interface Row {
  id: string;
  group_name: string | null;
  groups: string[];
  /** Names of the person's groups at the source. */
  names: string[];
}

/** Runs after the accounts were locked. */
const FIND = new Statement<{ ids: readonly string[] }, Row>(
  'group-claims.find',
  ({ param }) => sql`
    select a.id, a.group_name, a.groups, array(
      select g.display_name from scim_group_member m join scim_group g on g.id = m.group_id where m.account_id = a.id) as names
    from account a where a.id = any(${param('ids')}::uuid[]) order by a.id`,
);

type WriteValues = { rows: string } & Record<'actor' | 'address' | 'request' | 'detail', string | null>;

/** Writes the groups and an audit event for each account. */
const WRITE = new Statement<WriteValues, never>('group-claims.write', ({ param, now, buildSinks }) => {
  const changeSql = sql`
    update account a set group_name = r.group_name, groups = r.groups, updated_at = ${now}
    from (
      select id, group_name, array(select jsonb_array_elements_text(names)) as groups
      from jsonb_to_recordset(${param('rows')}::jsonb) as r(id uuid, group_name text, names jsonb)) r
    where a.id = r.id
    returning a.id`;
  return sql<never>`
    with changed as (${changeSql}) ${insertEvent(
      {
        at: now,
        kind: 'account.changed',
        actor: param('actor'),
        account: sql.ref('changed.id'),
        address: param('address'),
        request: param('request'),
        detail: param('detail'),
        sinks: buildSinks && buildSinks({ kind: 'account.changed' }),
      },
      sql`changed`,
    )}`;
});

@Injectable()
export class GroupClaims {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Writes the groups of accounts of the source, if its settings require it. The transaction must have locked the accounts in the order of
   * their ids.
   */
  async write(
    { source, ids, auditContext }: { source: ScimSettings; ids: readonly string[]; auditContext: AuditContext },
    trx: Transaction<Schema>,
  ): Promise<void> {
    const selection = source.groups;
    if (!selection) return;
    for (let start = 0; start < ids.length; start += BATCH) {
      const rows = await this.database.run(FIND, { ids: ids.slice(start, start + BATCH) }, trx);
      const changedRows = rows.flatMap((row) => {
        const { names } = selectGroups(row.names, selection);
        const group_name = selection.groupName ? (names[0] ?? null) : row.group_name;
        const groups = selection.groupName ? names.slice(1) : names.filter((name) => name !== row.group_name);
        const isSame = group_name === row.group_name && JSON.stringify(groups) === JSON.stringify(row.groups);
        return isSame ? [] : [{ id: row.id, group_name, names: groups }];
      });
      await this.#write(changedRows, auditContext, trx);
    }
  }

  async #write(changedRows: readonly object[], auditContext: AuditContext, trx: Transaction<Schema>): Promise<void> {
    if (changedRows.length === 0) return;
    const event: AuditEvent = { ...auditContext, kind: 'account.changed', detail: { fields: ['groups'] } };
    const { actor, address, request, detail } = toEventValues(event);
    await this.database.run(WRITE, { rows: JSON.stringify(changedRows), actor, address, request, detail }, trx);
    for (const _ of changedRows) this.audit.count(event);
  }
}
