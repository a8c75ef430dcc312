/**
 * Groups of SCIM sources and their members. A change locks the group first, then the accounts in the order of their ids, then the
 * memberships, so that it cannot deadlock with a sign-in or with the deletion of an account.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import type { ScimSettings } from '../../config/source-settings.js';
import { foldText } from '../../contract/folded-text.js';
import { Database } from '../../database/database.js';
import { violatesUnique } from '../../database/failures.js';
import type { Schema } from '../../database/schema.js';
import { isAccountId } from '../account/account.js';
import type { AuditContext } from '../audit/audit-log.js';
import { toScimSource } from '../../config/stored-sources.js';
import { GroupClaims } from './group-claims.js';
import type { GroupChange } from './group-patch.js';
import { invalidValue, notFound, notUnique } from './scim-refused.js';
import { requireVersion } from './scim-users.js';

export interface ScimGroup {
  id: string;
  displayName: string;
  externalId: string | null;
  version: number;
  createdAt: Date;
  modifiedAt: Date;
}

export interface NamedGroup {
  source: ScimSettings;
  id: string;
  /** As in `ScimChange`. */
  versions?: readonly number[];
  auditContext: AuditContext;
}

interface GroupRow {
  id: string;
  display_name: string;
  external_id: string | null;
  version: number;
  created_at: Date;
  modified_at: Date;
}

export const GROUP_COLUMNS = ['id', 'display_name', 'external_id', 'version', 'created_at', 'modified_at'] as const;

const LARGE_GROUP = 1000;

@Injectable()
export class ScimGroups {
  constructor(
    private readonly database: Database,
    private readonly claims: GroupClaims,
  ) {}

  /** @throws ScimRefused */
  async create(
    source: ScimSettings,
    group: GroupChange & { displayName: string },
    auditContext: AuditContext,
  ): Promise<ScimGroup> {
    return this.#refuseTakenName(() =>
      this.database.transaction(async (trx) => {
        const now = this.database.now();
        const row = await trx
          .insertInto('scim_group')
          .values({
            source: toScimSource(source.id),
            ...toNameColumns(group.displayName),
            external_id: group.externalId ?? null,
            version: 1,
            created_at: now,
            modified_at: now,
          })
          .returning(GROUP_COLUMNS)
          .executeTakeFirstOrThrow();
        await this.#changeMembers({ source, id: row.id, auditContext }, { ...group, isRenamed: false }, trx);
        return toGroup(row);
      }),
    );
  }

  /** @throws ScimRefused */
  async get(source: ScimSettings, id: string): Promise<ScimGroup> {
    const row = await this.#select({ source, id }, this.database.db).executeTakeFirst();
    if (!row) throw notFound();
    return toGroup(row);
  }

  /** Whether a group has so many members that the answer to a PATCH does not contain the group. */
  async isLarge(id: string): Promise<boolean> {
    const members = this.database.db.selectFrom('scim_group_member').select('account_id').where('group_id', '=', id);
    return (
      (
        await members
          .offset(LARGE_GROUP - 1)
          .limit(1)
          .execute()
      ).length > 0
    );
  }

  /** @throws ScimRefused */
  async change({ source, id, versions, auditContext }: NamedGroup, change: GroupChange): Promise<ScimGroup> {
    return this.#refuseTakenName(() =>
      this.database.transaction(async (trx) => {
        const row = await this.#select({ source, id }, trx).forUpdate().executeTakeFirst();
        if (!row) throw notFound();
        requireVersion(row.version, versions);
        const { displayName = row.display_name, externalId = row.external_id } = change;
        const isRenamed = displayName !== row.display_name;
        await trx
          .updateTable('scim_group')
          .set({ ...toNameColumns(displayName), external_id: externalId })
          .where('id', '=', id)
          .execute();
        const isChanged = await this.#changeMembers({ source, id, auditContext }, { ...change, isRenamed }, trx);
        if (!isRenamed && externalId === row.external_id && !isChanged) return toGroup(row);
        return toGroup(
          await trx
            .updateTable('scim_group')
            .set({ version: row.version + 1, modified_at: this.database.now() })
            .where('id', '=', id)
            .returning(GROUP_COLUMNS)
            .executeTakeFirstOrThrow(),
        );
      }),
    );
  }

  /** @throws ScimRefused */
  async remove({ source, id, versions, auditContext }: NamedGroup): Promise<void> {
    await this.database.transaction(async (trx) => {
      const row = await this.#select({ source, id }, trx).forUpdate().executeTakeFirst();
      if (!row) throw notFound();
      requireVersion(row.version, versions);
      const members = await this.#listMembers(id, trx);
      await this.#lockAccounts(source, members, trx);
      await trx.deleteFrom('scim_group').where('id', '=', id).execute();
      await this.claims.write({ source, ids: members, auditContext }, trx);
    });
  }

  /** @returns whether the members have changed @throws ScimRefused */
  async #changeMembers(
    { source, id, auditContext }: NamedGroup,
    { addedIds, removedIds, isReplaced, isRenamed }: GroupChange & { isRenamed: boolean },
    trx: Transaction<Schema>,
  ): Promise<boolean> {
    if (addedIds.size === 0 && removedIds.size === 0 && !isReplaced && !isRenamed) return false;
    // A change of a few members does not read the other members.
    const candidates = [...addedIds, ...removedIds].filter(isAccountId);
    const formerMembers =
      isReplaced || isRenamed ? await this.#listMembers(id, trx) : await this.#listMembers(id, trx, candidates);
    const formerIds = new Set(formerMembers);
    const removals = formerMembers.filter((one) => (isReplaced ? !addedIds.has(one) : removedIds.has(one)));
    const additions = [...addedIds].filter((one) => !formerIds.has(one)).toSorted();
    const affectedIds = [...new Set([...removals, ...additions, ...(isRenamed ? formerMembers : [])])].toSorted();
    const personIds = await this.#lockAccounts(source, affectedIds, trx);
    if (additions.some((one) => !personIds.has(one)))
      throw invalidValue('members', 'contains an id that does not belong to a person of the source');
    if (removals.length > 0)
      await sql`delete from scim_group_member where group_id = ${id}::uuid and account_id = any(${removals}::uuid[])`.execute(
        trx,
      );
    if (additions.length > 0)
      await sql`
        insert into scim_group_member (group_id, account_id) select ${id}::uuid, unnest(${additions}::uuid[])
        on conflict do nothing`.execute(trx);
    await this.claims.write({ source, ids: affectedIds, auditContext }, trx);
    return removals.length > 0 || additions.length > 0;
  }

  /** @param candidates if present, only these ids are looked up @returns ids of members */
  async #listMembers(id: string, trx: Transaction<Schema>, candidates?: readonly string[]): Promise<string[]> {
    const query = trx.selectFrom('scim_group_member').select('account_id').where('group_id', '=', id).orderBy('account_id');
    const rows = candidates === undefined ? query : query.where(sql<boolean>`account_id = any(${candidates}::uuid[])`);
    return (await rows.execute()).map((row) => row.account_id);
  }

  /** Locks the accounts of people of the source. @returns their ids, without people whom the source has deleted */
  async #lockAccounts(source: ScimSettings, ids: readonly string[], trx: Transaction<Schema>): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    await sql`
      select from account a where a.id = any(${ids}::uuid[])
        and exists (select from scim_user u where u.account_id = a.id and u.source = ${toScimSource(source.id)})
      order by a.id for no key update of a`.execute(trx);
    // Reads the accounts after the lock, because an account may have been deleted during the wait for the lock.
    const { rows } = await sql<{ id: string }>`
      select u.account_id as id from scim_user u
        join source_account s on s.account_id = u.account_id and s.source = u.source
      where u.account_id = any(${ids}::uuid[]) and u.source = ${toScimSource(source.id)} and u.deleted_at is null`.execute(trx);
    return new Set(rows.map(({ id }) => id));
  }

  #select({ source, id }: Pick<NamedGroup, 'source' | 'id'>, db: Pick<Transaction<Schema>, 'selectFrom'>) {
    // No group has an id of zeros.
    const groupId = isAccountId(id) ? id : '00000000-0000-0000-0000-000000000000';
    return db
      .selectFrom('scim_group')
      .select(GROUP_COLUMNS)
      .where('id', '=', groupId)
      .where('source', '=', toScimSource(source.id));
  }

  async #refuseTakenName<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (violatesUnique(error, 'scim_group_name')) throw notUnique('displayName', 'is taken');
      throw error;
    }
  }
}

export function toGroup(row: GroupRow): ScimGroup {
  return {
    id: row.id,
    displayName: row.display_name,
    externalId: row.external_id,
    version: row.version,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

function toNameColumns(displayName: string): Record<'display_name' | 'display_key', string> {
  return { display_name: displayName, display_key: foldText(displayName) };
}
