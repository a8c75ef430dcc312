/** Reads the data that is stored, in addition to the account, about a person whom a SCIM source pushes. */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';

export interface ScimRecord {
  /** The source, as `source_account` names it. */
  source: string;
  externalId: string | null;
  /** The value of `active` from the source. */
  isActive: boolean;
  /** Whether the source has disabled the account; only then can the source enable it again. */
  isDisabledBySource: boolean;
  resource: Readonly<Record<string, unknown>>;
  /** Names of the person's groups at the source. */
  groups: string[];
  createdAt: Date;
  modifiedAt: Date;
}

const FIND = new Statement<{ account: string }, ScimRecord>(
  'scim-record.find',
  ({ param }) => sql`
    select u.source, u.external_id as "externalId", u.active as "isActive", u.disabled_here as "isDisabledBySource", u.resource,
      array(select g.display_name from scim_group_member m join scim_group g on g.id = m.group_id
        where m.account_id = u.account_id order by g.display_key) as groups,
      u.created_at as "createdAt", u.modified_at as "modifiedAt"
    from scim_user u where u.account_id = ${param('account')}::uuid`,
);

@Injectable()
export class ScimRecords {
  constructor(private readonly database: Database) {}

  /** @returns null if the account does not belong to a SCIM source */
  async find(accountId: string): Promise<ScimRecord | null> {
    return (await this.database.run(FIND, { account: accountId }))[0] ?? null;
  }
}
