/**
 * Passwords that an operator may know: set with a new or an imported account, or by a link that was handed out. An operator who
 * knows the password of a person without a second factor could request the right `admin` for that person, and use it
 * (docs/decisions/0091).
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Database } from '../../database/database.js';
import { interval, Statement } from '../../database/statement.js';

export const HANDED_DAYS = 7;

/** A link that was mailed is known only to the owner of the mailbox. An import records all of its accounts in one event. */
const FIND = new Statement<{ account: string; seconds: number }, { is_known: boolean }>(
  'handed-passwords.find',
  ({ param, now }) => sql`
    select exists (
      select from audit_event e
      where e.account_id = ${param('account')}::uuid and e.at > ${now} - ${interval(param('seconds'))} and e.actor = 'operator'
        and (e.kind = 'password.changed'
          or e.kind = 'password-reset.issued' and not coalesce(e.detail @> '{"mailed": true}', false))
    ) or exists (
      select from account a join audit_event e on e.request_id = a.import_request_id
      where a.id = ${param('account')}::uuid and e.kind = 'account.imported' and e.at > ${now} - ${interval(param('seconds'))}
    ) as is_known`,
);

@Injectable()
export class HandedPasswords {
  constructor(private readonly database: Database) {}

  /** Whether an operator may have learned the password of the account within the last 7 days. */
  async isKnown(accountId: string): Promise<boolean> {
    const [row] = await this.database.run(FIND, { account: accountId, seconds: HANDED_DAYS * 24 * 3600 });
    return row?.is_known === true;
  }
}
