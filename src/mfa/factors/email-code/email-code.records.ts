/** Stores which accounts have codes by e-mail as a second factor. The codes go to the address of the account. */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { VerifiedAddresses } from '../../../accounts/account/verified-addresses.js';
import type { AuditContext } from '../../../accounts/audit/audit-log.js';
import { Database } from '../../../database/database.js';
import type { Schema } from '../../../database/schema.js';
import { Statement } from '../../../database/statement.js';
import type { FactorTransfer } from '../../factor.port.js';
import type { FactorTimes } from '../../factor-times.js';

interface ProvenAddress {
  accountId: string;
  /** The address to which the code was sent. */
  email: string;
  auditContext: AuditContext;
}

const FIND = new Statement<{ account: string }, FactorTimes>(
  'email-code.find',
  ({ param }) => sql`
    select created_at as "createdAt", last_used_at as "lastUsedAt" from email_code_factor where account_id = ${param('account')}`,
);

/** Runs while the account is locked. */
const TOUCH = new Statement<{ account: string; email: string }, { account_id: string }>(
  'email-code.touch',
  ({ param, now }) => sql`
    update email_code_factor f set last_used_at = ${now} from account a
    where f.account_id = ${param('account')} and a.id = f.account_id and a.email = ${param('email')}
    returning f.account_id`,
);

const INSERT = new Statement<{ accounts: readonly string[] }, { account_id: string }>(
  'email-code.insert',
  ({ param, now }) => sql`
    insert into email_code_factor (account_id, created_at)
    select id, ${now} from account where id = any(${param('accounts')}::uuid[])
    on conflict do nothing
    returning account_id`,
);

@Injectable()
export class EmailCodeRecords {
  /** The factor has no secret, so imports and exports list its name. */
  readonly transfer: FactorTransfer = {
    insert: async (secrets, trx) => {
      await this.database.run(INSERT, { accounts: [...secrets.keys()] }, trx);
    },
    read: async (accountIds) => {
      const { rows } = await sql<{ account_id: string }>`
        select account_id from email_code_factor where account_id = any(${accountIds}::uuid[])`.execute(this.database.db);
      return new Map(rows.map(({ account_id }) => [account_id, '']));
    },
  };

  constructor(
    private readonly database: Database,
    private readonly addresses: VerifiedAddresses,
  ) {}

  async find(accountId: string): Promise<FactorTimes | null> {
    return (await this.database.run(FIND, { account: accountId }))[0] ?? null;
  }

  /** @returns false if the account already has the factor */
  async insert(accountId: string, trx: Transaction<Schema>): Promise<boolean> {
    return (await this.database.run(INSERT, { accounts: [accountId] }, trx)).length > 0;
  }

  /** @returns false if the account has another address, or the factor was removed */
  async touch({ accountId, email }: Omit<ProvenAddress, 'auditContext'>, trx: Transaction<Schema>): Promise<boolean> {
    return (await this.database.run(TOUCH, { account: accountId, email }, trx)).length > 0;
  }

  async remove(accountId: string, trx: Transaction<Schema>): Promise<boolean> {
    const { rows } = await sql<{ account_id: string }>`
      delete from email_code_factor where account_id = ${accountId} returning account_id`.execute(trx);
    return rows.length > 0;
  }

  /** @returns whether the account still has the address */
  async hasAddress({ accountId, email }: Omit<ProvenAddress, 'auditContext'>, trx: Transaction<Schema>): Promise<boolean> {
    const { rows } = await sql`select 1 from account where id = ${accountId} and email = ${email}`.execute(trx);
    return rows.length > 0;
  }

  /** Marks the address as verified: the code proves that the person reads its mail. */
  async verifyAddress({ accountId, email, auditContext }: ProvenAddress, trx: Transaction<Schema>): Promise<void> {
    await this.addresses.confirm({ accountId, email, auditContext }, trx);
  }
}
