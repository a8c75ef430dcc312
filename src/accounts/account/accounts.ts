/**
 * Accounts: create, find, update, list. Every change is validated and recorded in the audit log in the same
 * transaction. Passwords are set by `password/set-password.ts` and checked by `password/sign-in.ts`. Ending sessions at
 * the OAuth server is the job of the code that calls this class.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Transaction, Updateable } from 'kysely';
import { Database } from '../../database/database.js';
import { violatesUnique } from '../../database/failures.js';
import type { AccountTable, Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { columnsOfNew, columnsOfPatch, usernameColumns } from './columns.js';
import { AccountFieldInvalid, AccountNotFound, UsernameTaken } from './account.errors.js';
import { ACCOUNT_COLUMNS, isAccountId, toAccount } from './account.js';
import type { Account, AccountFields, AccountPatch, NewAccount } from './account.js';
import { emailKey } from './fields.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditContext } from '../audit/audit-log.js';
import { endEverySessionOf } from '../sessions/browser-sessions.js';
import { requireNotReserved } from './held-usernames.js';
import { PASSWORD_RESETS, discardSecretsOf } from '../secrets/one-time-secrets.js';
import { usernameKey } from './username.js';

export type { Account, AccountPatch, NewAccount } from './account.js';

export interface AccountQuery {
  /** Exactly this username, in any spelling of it. */
  username?: string;
  email?: string;
  /** `nextCursor` of the previous page. */
  cursor?: string;
  /** At most 200; default 50. */
  limit?: number;
}

const PAGE_SIZE = 50;
const LARGEST_PAGE = 200;
const SYSTEM: AuditContext = { actor: 'system' };

const COLUMNS = sql.join(ACCOUNT_COLUMNS.map((column) => sql.ref(column)));

const FIND = new Statement<{ id: string }, AccountFields>(
  'account.find',
  ({ slot }) => sql`select ${COLUMNS} from account where id = ${slot('id')}`,
);
const FIND_BY_USERNAME = new Statement<{ key: string }, AccountFields>(
  'account.find-by-username',
  ({ slot }) => sql`select ${COLUMNS} from account where username_key = ${slot('key')}`,
);

@Injectable()
export class Accounts {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** @returns null for an unknown or malformed id */
  async find(id: string): Promise<Account | null> {
    if (!isAccountId(id)) return null;
    const [row] = await this.database.run(FIND, { id });
    return row ? toAccount(row) : null;
  }

  async findByUsername(username: string): Promise<Account | null> {
    const key = usernameKey(username);
    if (key === null) return null;
    const [row] = await this.database.run(FIND_BY_USERNAME, { key });
    return row ? toAccount(row) : null;
  }

  /** @throws AccountFieldInvalid, UsernameTaken */
  async create(account: NewAccount, by: AuditContext = SYSTEM): Promise<Account> {
    return this.changing((trx) => this.createWithin(trx, account, by));
  }

  /** Like `create`, in the transaction that `changing` opened. */
  async createWithin(trx: Transaction<Schema>, account: NewAccount, by: AuditContext): Promise<Account> {
    const columns = columnsOfNew(account);
    const now = this.database.now();
    const row = await trx
      .insertInto('account')
      .values({ ...columns, created_at: now, updated_at: now })
      .returning(ACCOUNT_COLUMNS)
      .executeTakeFirstOrThrow();
    await requireNotReserved({ key: columns.username_key, accountId: row.id, now }, trx);
    await this.audit.record({ ...by, kind: 'account.created', accountId: row.id }, trx);
    return toAccount(row);
  }

  /** @throws AccountFieldInvalid, UsernameTaken, AccountNotFound */
  async update(id: string, patch: AccountPatch, by: AuditContext = SYSTEM): Promise<Account> {
    const { username, ...rest } = patch;
    const columns: Updateable<AccountTable> = {
      ...(username === undefined ? {} : usernameColumns(username)),
      ...columnsOfPatch(rest),
    };
    const fields = Object.entries(patch).flatMap(([field, value]) => (value === undefined ? [] : [field]));
    if (fields.length === 0) return this.#get(id);
    return this.changing(async (trx) => {
      const row = await this.#write(id, columns, trx);
      // A link or code that was mailed to the old address must stop working.
      const emailChanges = ['password-reset', 'not-me', 'proof-code'] as const;
      if (patch.email !== undefined) await discardSecretsOf({ accountId: id, purposes: emailChanges }, trx);
      if (columns.username_key !== undefined) {
        await requireNotReserved({ key: columns.username_key, accountId: id, now: this.database.now() }, trx);
      }
      await this.audit.record({ ...by, kind: 'account.changed', accountId: id, detail: { fields } }, trx);
      return row;
    });
  }

  /** Disabling ends the account's sessions in the same transaction. @throws AccountNotFound */
  async setStatus(id: string, status: Account['status'], by: AuditContext = SYSTEM): Promise<Account> {
    return this.changing(async (trx) => {
      const account = await this.#write(id, { status }, trx);
      const ended = status === 'disabled' ? await this.#endSessions(id, trx) : 0;
      const kind = status === 'disabled' ? 'account.disabled' : 'account.enabled';
      await this.audit.record({ ...by, kind, accountId: id, ...(ended > 0 ? { detail: { sessions: ended } } : {}) }, trx);
      return account;
    });
  }

  /** In order of creation. @throws AccountFieldInvalid for an invalid cursor */
  async list(query: AccountQuery): Promise<{ accounts: Account[]; nextCursor?: string }> {
    const { username, email, cursor, limit = PAGE_SIZE } = query;
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
      throw new AccountFieldInvalid('cursor', 'format', 'cursor is none that a list gave.');
    }
    const size = Math.min(Math.max(Math.trunc(limit) || PAGE_SIZE, 1), LARGEST_PAGE);
    const rows = await this.database.db
      .selectFrom('account')
      .select([...ACCOUNT_COLUMNS, 'seq'])
      // A malformed name is compared with an empty key, which no account has.
      .$if(username !== undefined, (select) => select.where('username_key', '=', usernameKey(username ?? '') ?? ''))
      .$if(email !== undefined, (select) => select.where('email_key', '=', searchableEmail(email ?? '')))
      .$if(cursor !== undefined, (select) => select.where('seq', '>', Number(cursor)))
      .orderBy('seq')
      .limit(size + 1)
      .execute();
    const page = rows.slice(0, size);
    const last = page.at(-1);
    return { accounts: page.map(toAccount), ...(rows.length > size && last ? { nextCursor: String(last.seq) } : {}) };
  }

  /** Runs in one transaction. If the name was taken concurrently, it throws UsernameTaken. */
  async changing<T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(work);
    } catch (error) {
      if (violatesUnique(error, 'account_username_key')) throw new UsernameTaken();
      throw error;
    }
  }

  async #endSessions(accountId: string, trx: Transaction<Schema>): Promise<number> {
    await discardSecretsOf({ accountId, purposes: [...PASSWORD_RESETS, 'factor-reset'] }, trx);
    return endEverySessionOf({ accountId, now: this.database.now(), upstream: 'everything' }, trx);
  }

  async #get(id: string): Promise<Account> {
    const account = await this.find(id);
    if (!account) throw new AccountNotFound();
    return account;
  }

  async #write(id: string, columns: Updateable<AccountTable>, trx: Transaction<Schema>): Promise<Account> {
    if (!isAccountId(id)) throw new AccountNotFound();
    const row = await trx
      .updateTable('account')
      .set({ ...columns, updated_at: this.database.now() })
      .where('id', '=', id)
      .returning(ACCOUNT_COLUMNS)
      .executeTakeFirst();
    if (!row) throw new AccountNotFound();
    return toAccount(row);
  }
}

/** Search text comes from requests; PostgreSQL rejects NUL. */
function searchableEmail(email: string): string {
  return emailKey(email.replaceAll('\u0000', ''));
}
