/**
 * The mail to the address of a person who signs up: a code, or the news that an account exists or that an earlier application
 * waits. Only the reader of the mailbox learns which mail it is (S-25). If the address is only the username of an account, the news
 * goes to the address of that account, if it has one. The class also answers whether an account has an address, whether an operator
 * has to approve sign-ups, and whether too many people wait for an approval.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import type { Locale } from '../../contract/locale.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { toEmailKey } from '../account/fields.js';
import { toUsernameKey } from '../account/username.js';
import type { AuditContext } from '../audit/audit-log.js';
import { Outbox } from '../queue/outbox.js';
import { AddressCodes, type AddressCodeKey } from '../secrets/address-codes.js';

export interface SignUpMailRequest {
  codeKey: AddressCodeKey;
  /** Language of the page. */
  locale: Locale | undefined;
  auditContext: AuditContext;
}

interface Owner {
  id: string;
  has_address: boolean;
  /**
   * Whether the address of the account is not verified, so that the reader of the mail may be another person than the owner. False
   * without an address: the mail then goes to the username.
   */
  is_unproven: boolean;
}

/**
 * SQL condition: the address of an account counts as its own. An unverified address of an account that belongs to a provider does
 * not: otherwise, a person could enter the address of another person at the provider, and keep that person from signing up.
 * @param table alias of the table `account` in the statement
 */
function isOwnAddress(table: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${table}.email_verified`)} or not exists (
    select from source_account s
    where s.account_id = ${sql.ref(`${table}.id`)} and s.source like '%:%' and s.source not like 'scim:%'))`;
}

/** Must find an account exactly where `LIST_WITH_ACCOUNT` does. */
const FIND_OWNER = new Statement<{ email: string; key: string }, Owner>(
  'sign-up.owner',
  ({ param }) => sql`
    select id, has_address, is_unproven from (
      (select a.id, true as has_address, not a.email_verified as is_unproven from account a
        where a.email_key = ${param('email')}::text and ${isOwnAddress('a')}
        order by a.email_verified desc, a.id limit 1)
      union all
      select u.id, u.email is not null, u.email is not null and not u.email_verified from account u where u.username_key = ${param('key')}::text
    ) owner limit 1`,
);

/** The keys at one position are those of one address (`toOwnerKeys`). */
const LIST_WITH_ACCOUNT = new Statement<{ emails: readonly string[]; keys: readonly string[] }, { position: number }>(
  'sign-up.with-account',
  ({ param }) => sql`
    select k.position::integer as position
    from unnest(${param('emails')}::text[], ${param('keys')}::text[]) with ordinality as k (email, username, position)
    where exists (select from account a where a.email_key = k.email and ${isOwnAddress('a')})
      or exists (select from account u where u.username_key = k.username)`,
);

const IS_WAITING = new Statement<{ email: string }, { waits: boolean }>(
  'sign-up.is-waiting',
  ({ param, now }) => sql`
    select true as waits from sign_up_application where email_key = ${param('email')}::text and expires_at > ${now}`,
);

const COUNT = new Statement<{ max: number }, { count: number }>(
  'sign-up-application.count',
  ({ param, now }) => sql`
    select count(*)::integer as count from (
      select from sign_up_application where expires_at > ${now} order by expires_at limit ${param('max')}::integer) application`,
);

@Injectable()
export class SignUpMails {
  constructor(
    private readonly database: Database,
    private readonly codes: AddressCodes,
    private readonly outbox: Outbox,
    @Inject(CONFIG) private readonly config: Pick<Config, 'registration'>,
  ) {}

  /** Whether an operator has to approve the accounts of people who sign up (`sign-up-applications.ts`). */
  get asksForApproval(): boolean {
    return this.config.registration.signUp?.approval !== undefined;
  }

  /** Whether so many people wait for an approval that no more are accepted. It does not depend on the address. */
  async isFull(): Promise<boolean> {
    const { approval } = this.config.registration.signUp ?? {};
    if (!approval) return false;
    const [row] = await this.database.run(COUNT, { max: approval.maxWaiting });
    return row === undefined || row.count >= approval.maxWaiting;
  }

  /** Queues the mail. The request was counted before (`RequestLimits.countSignUp`). */
  async queue({ codeKey, locale, auditContext }: SignUpMailRequest): Promise<void> {
    const { email } = codeKey;
    await this.database.transaction(async (trx) => {
      const owner = await this.#findOwner(email, trx);
      if (owner !== null) {
        // If the account has a language, the mail is not in the language of the page, which a stranger may have chosen. If the
        // account has no address, its username is this address. The reader of an unverified address must not learn the username:
        // with a link for a new password, the username would be enough to take the account over.
        const values: Record<string, number> = owner.is_unproven ? { unverified: 1 } : {};
        const mail = { kind: 'account-exists', accountId: owner.id, values, auditContext } as const;
        return this.outbox.queueRequested({ ...mail, recipient: owner.has_address ? undefined : email }, trx);
      }
      if (this.asksForApproval && (await this.database.run(IS_WAITING, { email: toEmailKey(email) }, trx)).length > 0)
        return this.outbox.queueToAddress({ kind: 'sign-up-waits', recipient: email, values: {}, locale }, trx);
      const { code, expiresAt } = await this.codes.issue(codeKey, trx);
      return this.outbox.queueToAddress({ kind: 'sign-up-code', recipient: email, values: { code }, locale, expiresAt }, trx);
    });
  }

  /** Whether an account has the address as its own, or has it as its username. */
  async hasAccount(email: string, trx?: Transaction<Schema>): Promise<boolean> {
    return (await this.listWithAccount([email], trx)).has(email);
  }

  /** @returns the addresses of which `hasAccount` is true */
  async listWithAccount(emails: readonly string[], trx?: Transaction<Schema>): Promise<ReadonlySet<string>> {
    if (emails.length === 0) return new Set();
    const ownerKeys = emails.map(toOwnerKeys);
    const values = { emails: ownerKeys.map(({ email }) => email), keys: ownerKeys.map(({ key }) => key) };
    const positions = new Set((await this.database.run(LIST_WITH_ACCOUNT, values, trx)).map(({ position }) => position));
    return new Set(emails.filter((_, index) => positions.has(index + 1)));
  }

  async #findOwner(email: string, trx: Transaction<Schema>): Promise<Owner | null> {
    return (await this.database.run(FIND_OWNER, toOwnerKeys(email), trx))[0] ?? null;
  }
}

/** The keys by which accounts with this address or username are found. A malformed name has an empty key, which no account has. */
function toOwnerKeys(email: string): { email: string; key: string } {
  return { email: toEmailKey(email), key: toUsernameKey(email) ?? '' };
}
