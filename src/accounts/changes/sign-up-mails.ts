/**
 * The mail to the address of a person who signs up: a code, or the news that an account exists. Nobody but the reader of the mailbox
 * learns which one it is (S-25).
 */
import { Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import type { Locale } from '../../contract/locale.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { toEmailKey } from '../account/fields.js';
import { usernameKey } from '../account/username.js';
import type { AuditContext } from '../audit/audit-log.js';
import { Outbox } from '../queue/outbox.js';
import { AddressCodes, type AddressCodeKey } from '../secrets/address-codes.js';

export interface SignUpMailRequest {
  code: AddressCodeKey;
  /** Language of the page. */
  locale: Locale | undefined;
  by: AuditContext;
}

interface Owner {
  id: string;
  has_address: boolean;
}

const FIND_OWNER = new Statement<{ email: string; key: string }, Owner>(
  'sign-up.owner',
  ({ param }) => sql`
    select id, has_address from (
      (select a.id, true as has_address from account a where a.email_key = ${param('email')}::text
        order by a.email_verified desc, a.id limit 1)
      union all
      select u.id, u.email is not null from account u where u.username_key = ${param('key')}::text
    ) owner limit 1`,
);

@Injectable()
export class SignUpMails {
  constructor(
    private readonly database: Database,
    private readonly codes: AddressCodes,
    private readonly outbox: Outbox,
  ) {}

  /** Queues the mail. The request was counted before the request (`RequestLimits.countSignUp`). */
  async queue({ code: key, locale, by }: SignUpMailRequest): Promise<void> {
    const { email } = key;
    await this.database.transaction(async (trx) => {
      const owner = await this.#findOwner(email, trx);
      if (owner !== null) {
        // Not in the language of the page, which a stranger may have chosen. Without an address, the username is this address.
        const mail = { kind: 'account-exists', accountId: owner.id, values: {}, by } as const;
        return this.outbox.queueRequested({ ...mail, recipient: owner.has_address ? undefined : email }, trx);
      }
      const { code, expiresAt } = await this.codes.issue(key, trx);
      return this.outbox.queueToAddress({ kind: 'sign-up-code', recipient: email, values: { code }, locale, expiresAt }, trx);
    });
  }

  /** Whether an account has the address, verified or not, or has it as its username. */
  async hasAccount(email: string, trx: Transaction<Schema>): Promise<boolean> {
    return (await this.#findOwner(email, trx)) !== null;
  }

  async #findOwner(email: string, trx: Transaction<Schema>): Promise<Owner | null> {
    // A malformed name is compared with an empty key, which no account has.
    const values = { email: toEmailKey(email), key: usernameKey(email) ?? '' };
    return (await this.database.run(FIND_OWNER, values, trx))[0] ?? null;
  }
}
