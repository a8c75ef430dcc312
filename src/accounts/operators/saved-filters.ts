/** Filters of lists that an operator has saved under a name. They belong to the operator or token, and no other operator sees them. */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import type { SavedFilterTable } from '../../database/schema.js';
import { isAccountId } from '../account/account.js';
import type { AuditContext } from '../audit/audit-log.js';
import { toOwner } from './operator-identity.js';

/** Maximum number of filters that one operator may save. */
export const MAX_SAVED_FILTERS = 50;

export type FilterPage = SavedFilterTable['page'];

export interface NewSavedFilter {
  page: FilterPage;
  name: string;
  /** The parameters of the list, without the cursor. */
  filter: Readonly<Record<string, string>>;
}

export interface SavedFilter extends NewSavedFilter {
  id: string;
  savedAt: Date;
}

@Injectable()
export class SavedFilters {
  constructor(private readonly database: Database) {}

  /** @returns the filters of the operator, by page and name */
  async list(auditContext: AuditContext): Promise<SavedFilter[]> {
    const rows = await this.database.db
      .selectFrom('saved_filter')
      .select(['id', 'page', 'name', 'filter', 'saved_at'])
      .where('owner', '=', toOwner(auditContext))
      .orderBy('page')
      .orderBy('name')
      .execute();
    return rows.map(({ saved_at: savedAt, ...row }) => ({ ...row, savedAt }));
  }

  /** Replaces a filter with the same page and name. @returns null if the operator has too many already */
  async save({ page, name, filter }: NewSavedFilter, auditContext: AuditContext): Promise<SavedFilter | null> {
    const owner = toOwner(auditContext);
    return this.database.transaction(async (trx) => {
      // Otherwise concurrent calls could save more than the maximum.
      await sql`select pg_advisory_xact_lock(hashtextextended(${`saved-filter ${owner}`}, 0))`.execute(trx);
      const values = {
        owner,
        account_id: auditContext.operatorAccount ?? null,
        page,
        name,
        filter: JSON.stringify(filter),
        saved_at: this.database.now(),
      };
      const savedFilter = await trx
        .insertInto('saved_filter')
        .values(values)
        .onConflict((conflict) =>
          conflict.constraint('saved_filter_name').doUpdateSet({ filter: values.filter, saved_at: values.saved_at }),
        )
        .returning(['id', 'page', 'name', 'filter', 'saved_at as savedAt'])
        .executeTakeFirstOrThrow();
      const ownFilters = await trx.selectFrom('saved_filter').select('id').where('owner', '=', owner).execute();
      if (ownFilters.length <= MAX_SAVED_FILTERS) return savedFilter;
      await trx.deleteFrom('saved_filter').where('id', '=', savedFilter.id).execute();
      return null;
    });
  }

  /** @returns false if the operator has no such filter */
  async remove(id: string, auditContext: AuditContext): Promise<boolean> {
    if (!isAccountId(id)) return false;
    const { numDeletedRows } = await this.database.db
      .deleteFrom('saved_filter')
      .where('id', '=', id)
      .where('owner', '=', toOwner(auditContext))
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  }
}
