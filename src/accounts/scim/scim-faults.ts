/**
 * Stores the refused calls of SCIM clients for operators, and deletions that only disabled the account of an operator. A retry that is
 * refused for the same cause increments a counter. A call that succeeds removes its rows, except rows with the code `OPERATOR_REFUSED`.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import { Statement } from '../../database/statement.js';
import { isAccountId } from '../account/account.js';

/** Code of a refused change of an operator's account: the change may have been an attack, so a call that succeeds does not remove its row. */
export const OPERATOR_REFUSED = '403';
/** Maximum number of rows of a source. */
const MAX_FAULTS = 1000;
const MAX_TEXT_LENGTH = 300;

/** A call, and the person or group to which it refers. */
export interface NamedCall {
  /** The source, as `source_account` names it. */
  source: string;
  method: string;
  resource: 'User' | 'Group';
  /** The person or group, as the client names it: `externalId:…`, `userName:…`, `displayName:…` or `id:…`; `unnamed` without a name. */
  subject: string;
}

export interface ScimFault extends NamedCall {
  /** `scimType` of the answer, or its status; `operator` for a deletion that only disabled the account of an operator. */
  code: string;
  field: string;
  detail: string;
  /** The account of this installation that conflicts with the call, or to which the call refers. */
  accountId: string | null;
}

type Columns = Record<'source' | 'method' | 'resource' | 'subject' | 'code' | 'field' | 'detail', string> & {
  account: string | null;
  /** Whether the client named the account by its id. The id may be arbitrary, so the account is stored only if it belongs to the source. */
  named: boolean;
};

const NOTE = new Statement<Columns, { times: number }>(
  'scim-fault.note',
  ({ param, now }) => sql`
    insert into scim_fault (source, at, last_at, method, resource, subject, code, field, detail, account_id)
    select ${param('source')}, ${now}, ${now}, ${param('method')}, ${param('resource')}, ${param('subject')}, ${param('code')},
      ${param('field')}, ${param('detail')}, (
        select a.id from account a where a.id = ${param('account')}::uuid and (not ${param('named')}::boolean or exists (
          select from scim_user u where u.account_id = a.id and u.source = ${param('source')})))
    on conflict (source, subject, method, code, field) do update set
      last_at = excluded.last_at, times = scim_fault.times + 1, detail = excluded.detail, account_id = excluded.account_id
    returning times`,
);

const CUT = new Statement<{ source: string }, unknown>(
  'scim-fault.cut',
  ({ param }) => sql`
    delete from scim_fault where id = any (array(
      select id from scim_fault where source = ${param('source')} order by last_at desc, id desc offset ${sql.lit(MAX_FAULTS)}))`,
);

const FORGET = new Statement<Record<'source' | 'subject' | 'method', string>, unknown>(
  'scim-fault.forget',
  ({ param }) => sql`
    delete from scim_fault
    where source = ${param('source')} and subject = ${param('subject')} and method = ${param('method')}
      and code <> ${sql.lit(OPERATOR_REFUSED)}`,
);

@Injectable()
export class ScimFaults {
  constructor(private readonly database: Database) {}

  async note({ source, method, resource, subject, code, field, detail, accountId }: ScimFault): Promise<void> {
    const account = isAccountId(accountId) ? accountId : null;
    const values = {
      source,
      method,
      resource,
      subject: cut(subject),
      code,
      field: cut(field),
      detail: cut(detail),
      account,
      named: subject === `id:${accountId}`,
    };
    const [row] = await this.database.run(NOTE, values);
    if (row?.times === 1) await this.database.run(CUT, { source });
  }

  /** Removes the rows of a call that has succeeded. */
  async forget({ source, method, subject }: NamedCall): Promise<void> {
    await this.database.run(FORGET, { source, method, subject: cut(subject) });
  }
}

/** Makes a text from the client short enough, and valid for the database. */
function cut(text: string): string {
  const cleanText = text.replaceAll('\u0000', '').toWellFormed();
  return cleanText.length > MAX_TEXT_LENGTH ? `${cleanText.slice(0, MAX_TEXT_LENGTH - 1)}…`.toWellFormed() : cleanText;
}
