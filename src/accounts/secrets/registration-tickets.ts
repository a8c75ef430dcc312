/**
 * Registration tickets. A ticket stands for a person who was sent to the registration service, with the browser, the login
 * request and, after the return, the account. A ticket leads to at most one account, however often its answer arrives. Its
 * handle is stored as a hash.
 */
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder, type Transaction } from 'kysely';
import { fingerprint, randomToken, Keys } from '../../config/keys.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement, type Placeholders } from '../../database/statement.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import { isAccountId, type Account, type NewAccount } from '../account/account.js';
import { Accounts } from '../account/accounts.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';

/** The waiting sign-in. */
export interface TicketContext {
  challenge: string;
  /** Address of the authorization request, if it can be trusted. */
  requestUrl: string | null;
  hints: Readonly<Record<string, string>>;
}

/** Values that the returning browser presents. */
export interface TicketKey {
  handle: string;
  browser: string;
  /** Whether the cookie of this browser has the handle. */
  hasHandle: boolean;
}

export interface RegistrationTicket extends TicketContext {
  /** Set after the answer was accepted. */
  accountId: string | null;
}

/** The person in the answer: a new account or an existing one. */
export type RegistrationResult = { account: NewAccount } | { accountId: string };

/** The ticket expired, or a newer ticket replaced it, while the answer was verified. */
export class TicketExpired extends Error {
  constructor() {
    super('The registration ticket has expired or was replaced.');
    this.name = 'TicketExpired';
  }
}

/** Enough time to fill in forms and open a mail. The login request may expire at Hydra earlier. */
const LIFETIME = sql.raw(`interval '1 hour'`);
const CLOCK_SKEW = sql.raw(`interval '30 seconds'`);
/** Without a limit, a service that answers automatically could redirect the browser in a loop. */
const MAX_REFUSALS = 5;

type KeyValues = Record<'handle' | 'browser', string> & { hasHandle: boolean };

/** Replaces the earlier ticket of the same sign-in, so that one sign-in cannot fill the table. */
const BEGIN = new Statement<Record<'handle' | 'browser' | 'challenge' | 'context', string>, never>(
  'registration.begin',
  ({ param, now }) => sql`
    insert into registration_ticket (challenge_hash, handle_hash, browser_hash, context, created_at, expires_at)
    values (${param('challenge')}, ${param('handle')}, ${param('browser')}, ${param('context')}, ${now}, ${now} + ${LIFETIME})
    on conflict (challenge_hash) do update set
      handle_hash = excluded.handle_hash, browser_hash = excluded.browser_hash, context = excluded.context,
      created_at = excluded.created_at, expires_at = excluded.expires_at, refusals = 0, account_id = null`,
);

/**
 * The ticket belongs to the browser that began it. When a person signs in in another tab, the browser gets a new id, to which the waiting
 * sign-in moves. The new id is accepted only together with the cookie: otherwise a person who has seen the former id could begin a
 * registration with it, and make the browser open the answer after its owner has signed in.
 */
const isOwnSql = ({ param }: Pick<Placeholders<KeyValues>, 'param'>): RawBuilder<boolean> => sql<boolean>`
  handle_hash = ${param('handle')} and (browser_hash = ${param('browser')} or ${param('hasHandle')}::boolean and exists (
    select from sign_in s where s.challenge_hash = registration_ticket.challenge_hash and s.browser_hash = ${param('browser')}))`;

const FIND = new Statement<KeyValues, { context: string; account_id: string | null }>(
  'registration.find',
  ({ param, now }) => sql`
    select context, account_id from registration_ticket where ${isOwnSql({ param })} and expires_at > ${now}`,
);

/** Concurrent answers wait for this lock; the second answer finds the account of the first. */
const LOCK = new Statement<KeyValues, { account_id: string | null }>(
  'registration.lock',
  ({ param, now }) => sql`
    select account_id from registration_ticket where ${isOwnSql({ param })} and expires_at > ${now} for update`,
);

const SETTLE = new Statement<{ handle: string; account: string }, never>(
  'registration.settle',
  ({ param }) => sql`
    update registration_ticket set account_id = ${param('account')} where handle_hash = ${param('handle')}`,
);

const REFUSE = new Statement<KeyValues & { max: number }, unknown>(
  'registration.refuse',
  ({ param }) => sql`
    update registration_ticket set refusals = refusals + 1
    where ${isOwnSql({ param })} and refusals < ${param('max')}::integer
    returning 1`,
);

/**
 * A person who was sent to the service before the account's access ended must not be signed in; both times come from
 * the database. For an account that was created since, the time of the answer, which comes from another clock, decides.
 */
const FIND_STAMP = new Statement<{ handle: string; account: string; issuedAt: Date }, { securityStamp: string }>(
  'registration.security-stamp',
  ({ param }) => sql`
    select ${SECURITY_STAMP} as "securityStamp"
    from account a join registration_ticket t on t.handle_hash = ${param('handle')}
    where a.id = ${param('account')} and (a.access_ended_at >
      case when t.created_at >= a.created_at then t.created_at else ${param('issuedAt')}::timestamptz + ${CLOCK_SKEW} end) is not true`,
);

@Injectable()
export class RegistrationTickets {
  constructor(
    private readonly database: Database,
    private readonly keys: Keys,
    private readonly accounts: Accounts,
    private readonly audit: AuditLog,
  ) {}

  /** Replaces an earlier ticket of the same sign-in. @returns the handle: 256 bits, base64url */
  async begin(browser: string, context: TicketContext): Promise<string> {
    const { database, keys } = this;
    const handle = randomToken();
    const sealedContext = keys.seal('registration-context', JSON.stringify(context));
    const challenge = fingerprint(context.challenge);
    await database.run(BEGIN, { handle: fingerprint(handle), browser: fingerprint(browser), challenge, context: sealedContext });
    return handle;
  }

  /** @returns null if the handle is unknown, expired or replaced, or belongs to another browser */
  async find(key: TicketKey): Promise<RegistrationTicket | null> {
    const { database, keys } = this;
    const [row] = await database.run(FIND, toHashes(key));
    const context = row ? keys.open('registration-context', row.context) : null;
    return row && context !== null ? { ...(JSON.parse(context) as TicketContext), accountId: row.account_id } : null;
  }

  /**
   * Accepts the answer once. @returns the account that this answer, or an earlier answer, created or named
   * @throws TicketExpired, AccountFieldInvalid, UsernameTaken, EmailTaken
   */
  async settle(key: TicketKey, registration: RegistrationResult, auditContext: AuditContext): Promise<string> {
    const { database, accounts, audit } = this;
    return accounts.transact(async (trx) => {
      const [row] = await database.run(LOCK, toHashes(key), trx);
      if (!row) throw new TicketExpired();
      if (row.account_id !== null) return row.account_id;
      const accountId = await this.#resolveAccount(registration, auditContext, trx);
      await database.run(SETTLE, { handle: fingerprint(key.handle), account: accountId }, trx);
      await audit.record(
        { ...auditContext, kind: 'registration.finished', accountId, detail: { created: 'account' in registration } },
        trx,
      );
      return accountId;
    });
  }

  /**
   * Finds the security stamp for an answer about this account. @param source `issuedAt`: when the service issued the answer
   * @returns null if there is no such account, or if its access has ended since the ticket or, for a newer account, the answer was issued
   */
  async findSecurityStamp(accountId: string, source: { handle: string; issuedAt: Date }): Promise<string | null> {
    const { handle, issuedAt } = source;
    if (!isAccountId(accountId)) return null;
    const [row] = await this.database.run(FIND_STAMP, {
      handle: fingerprint(handle),
      account: accountId,
      issuedAt,
    });
    return row?.securityStamp ?? null;
  }

  /** Counts an answer that the service has to correct. @returns false after too many such answers, or if the browser has no such ticket */
  async refuse(key: TicketKey): Promise<boolean> {
    const rows = await this.database.run(REFUSE, { ...toHashes(key), max: MAX_REFUSALS });
    return rows.length > 0;
  }

  async #resolveAccount(registration: RegistrationResult, auditContext: AuditContext, trx: Transaction<Schema>): Promise<string> {
    if ('accountId' in registration) return registration.accountId;
    const account: Account = await this.accounts.createWithin(trx, registration.account, auditContext);
    return account.id;
  }
}

function toHashes({ handle, browser, hasHandle }: TicketKey): KeyValues {
  return { handle: fingerprint(handle), browser: fingerprint(browser), hasHandle };
}
