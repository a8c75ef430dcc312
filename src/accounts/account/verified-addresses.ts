/**
 * Marks an e-mail address as verified when the person has proven that they receive its mail. Where people sign in with addresses
 * (`LOGIN_WITH`), only one account can have verified an address, so that a person gains nothing by entering the address
 * of another person.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { AccountNames } from './account-names.js';
import { AccountFieldInvalid } from './account.errors.js';
import { checkEmail, toEmailKey } from './fields.js';

interface MailProof {
  accountId: string;
  /** The address to which the mail was sent. Absent if a change of the address makes the link or code in the mail void. */
  email?: string;
  auditContext: AuditContext;
}

@Injectable()
export class VerifiedAddresses {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly names: AccountNames,
    @Inject(CONFIG) private readonly config: Pick<Config, 'login'>,
  ) {}

  /**
   * Confirms the address because a link or code that was mailed to it has been used. Runs in the transaction that consumes the link
   * or code, after the account was locked. Does nothing if the account has another address or none by now, if the address is
   * already verified, or if people sign in with addresses and another account has verified this address.
   */
  async confirm({ accountId, email, auditContext }: MailProof, trx: Transaction<Schema>): Promise<void> {
    const account = await trx
      .selectFrom('account')
      .select(['email', 'email_verified'])
      .where('id', '=', accountId)
      .executeTakeFirst();
    if (!account?.email || account.email_verified || (email !== undefined && email !== account.email)) return;
    const key = toEmailKey(account.email);
    if (this.config.login.byEmail) {
      await this.names.lock([{ email: account.email }], trx);
      const otherOwners = trx.selectFrom('account').select('id').where('email_key', '=', key).where('email_verified', '=', true);
      if (await otherOwners.where('id', '!=', accountId).executeTakeFirst()) return;
    }
    const changes = { email_verified: true, updated_at: this.database.now() };
    await trx.updateTable('account').set(changes).where('id', '=', accountId).execute();
    await this.audit.record({ ...auditContext, kind: 'account.changed', accountId, detail: { fields: ['emailVerified'] } }, trx);
  }
}

/** @returns the key of the address that somebody typed; null if it is not an address */
export function toTypedEmailKey(typedEmail: string): string | null {
  if (!typedEmail.includes('@')) return null;
  try {
    return toEmailKey(checkEmail(typedEmail));
  } catch (error) {
    if (error instanceof AccountFieldInvalid) return null;
    throw error;
  }
}

/**
 * SQL of the id of the account that signs in with a name. A username takes precedence. An address is accepted if exactly one account
 * has verified it. `email` is null where people sign in with usernames only.
 */
export function findAccountByNameSql({ key, email }: Record<'key' | 'email', unknown>): RawBuilder<string> {
  return sql<string>`coalesce(
    (select u.id from account u where u.username_key = ${key}::text),
    (select (array_agg(e.id))[1] from account e where e.email_key = ${email}::text and e.email_verified having count(*) = 1))`;
}
