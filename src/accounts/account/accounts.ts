/**
 * Creates, finds and updates accounts. Every change is validated and recorded in the audit log in the same transaction.
 * Passwords are set by `password/set-password.ts` and checked by `password/password-attempts.ts`. The sessions of a disabled
 * account are queued for revocation at Hydra; `hydra/revocation-runner.ts` performs the revocation.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Kysely, type Transaction, type Updateable } from 'kysely';
import { Database } from '../../database/database.js';
import { violatesUnique } from '../../database/failures.js';
import type { AccountTable, Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { toNewColumns, toPatchColumns, toUsernameColumns } from './columns.js';
import { AccountNotFound, SubjectTaken, UsernameTaken } from './account.errors.js';
import {
  RETURNED_COLUMNS,
  accountColumns,
  isAccountId,
  toAccount,
  type Account,
  type AccountFields,
  type AccountPatch,
  type NewAccount,
} from './account.js';
import { FIND_SUBJECT, findOwnerOfSubject, toAccountId, insertSubject } from './account-subjects.js';
import { toEmailKey } from './fields.js';
import { FormerEmails, type EmailChange } from './former-emails.js';
import { AuditLog, type AuditContext, type AuditEvent } from '../audit/audit-log.js';
import { endAllSessions } from '../sessions/browser-sessions.js';
import { lockAccount } from './lock.js';
import { AccountNames, type StoredClaim } from './account-names.js';
import { requireNotReserved } from './held-usernames.js';
import { PASSWORD_RESETS, discardSecrets } from '../secrets/one-time-secrets.js';
import { toUsernameKey } from './username.js';
import { AccountAttributes, type AttributeValues } from '../attributes/account-attributes.js';
import { defined } from '../../config/defined.js';

export type { Account, AccountPatch, NewAccount } from './account.js';

const SYSTEM: AuditContext = { actor: 'system' };

const COLUMNS = accountColumns('account');

const FIND = new Statement<{ id: string }, AccountFields>(
  'account.find',
  ({ param }) => sql`select ${COLUMNS} from account where id = ${param('id')}`,
);
const FIND_BY_USERNAME = new Statement<{ key: string }, AccountFields>(
  'account.find-by-username',
  ({ param }) => sql`select ${COLUMNS} from account where username_key = ${param('key')}`,
);

/** The user source that does not admit a person, and the state of the person there. */
export type SourceState = Readonly<Record<'source' | 'state', string>>;

/** `detail`: stored with the event about the new account. */
export type CreationContext = AuditContext & Pick<AuditEvent, 'detail'>;

interface AccountChange extends Pick<EmailChange, 'isOwn'>, Pick<AttributeValues, 'keepsInvalidOthers'> {
  id: string;
  patch: AccountPatch;
  auditContext: AuditContext;
}

type StatusContext = AuditContext & { sourceState?: SourceState | null };

@Injectable()
export class Accounts {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly names: AccountNames,
    private readonly formerEmails: FormerEmails,
    readonly attributes: AccountAttributes,
  ) {}

  /** @returns null for an unknown or malformed id */
  async find(id: string): Promise<Account | null> {
    if (!isAccountId(id)) return null;
    const [row] = await this.database.run(FIND, { id });
    return row ? toAccount(row) : null;
  }

  /** Finds an account by its subject at Hydra. */
  async findBySubject(subject: string): Promise<Account | null> {
    return this.find(await findOwnerOfSubject(this.database, subject));
  }

  /** Finds an account by a typed text: its subject, or its id in upper or lower case. */
  async findByIdOrSubject(text: string): Promise<Account | null> {
    return (await this.findBySubject(text)) ?? (isAccountId(text) ? this.find(text.toLowerCase()) : null);
  }

  async findSubject(id: string): Promise<string> {
    return (await this.database.run(FIND_SUBJECT, { id }))[0]?.subject ?? id;
  }

  async findByUsername(username: string): Promise<Account | null> {
    const key = toUsernameKey(username);
    if (key === null) return null;
    const [row] = await this.database.run(FIND_BY_USERNAME, { key });
    return row ? toAccount(row) : null;
  }

  /**
   * Checks the username that a person has chosen for a new account; see `AccountNames`.
   * @throws AccountFieldInvalid, UsernameTaken
   */
  async requireUnknownToSources(username: string): Promise<void> {
    await this.names.requireUnknownToSources(toUsernameColumns(username).username);
  }

  /** @throws AccountFieldInvalid, AttributeInvalid, UsernameTaken, EmailTaken, SubjectTaken */
  async create(account: NewAccount, auditContext: AuditContext = SYSTEM): Promise<Account> {
    return this.transact((trx) => this.createWithin(trx, account, auditContext));
  }

  /** Does the same as `create`, in a transaction that `transact` has opened. */
  async createWithin(trx: Transaction<Schema>, account: NewAccount, auditContext: CreationContext): Promise<Account> {
    const id = toAccountId(account.subject);
    const columns = { ...toNewColumns(account), ...this.attributes.toNewColumns(account), ...defined({ id }) };
    const now = this.database.now();
    const row = await trx
      .insertInto('account')
      .values({ ...columns, created_at: now, updated_at: now })
      .returning(RETURNED_COLUMNS)
      .executeTakeFirstOrThrow();
    await insertSubject(row.id, account.subject, trx);
    await requireNotReserved({ key: columns.username_key, accountId: row.id, now }, trx);
    const { username, email, email_key: ownEmailKey } = columns;
    const verifiedKey = columns.email_verified ? ownEmailKey : null;
    await this.names.claim({ accountId: row.id, username, email, ownEmailKey, verifiedKey }, trx);
    await this.audit.record({ ...auditContext, kind: 'account.created', accountId: row.id }, trx);
    return toAccount(row);
  }

  /** @throws AccountFieldInvalid, AttributeInvalid, UsernameTaken, EmailTaken, AccountNotFound */
  async update(id: string, patch: AccountPatch, auditContext: AuditContext = SYSTEM): Promise<Account> {
    if (toFields(patch).length === 0) return this.#get(id);
    return this.transact(async (trx) => {
      // The condition must not change before the account does.
      if (auditContext.condition && isAccountId(id)) await lockAccount(id, trx);
      await auditContext.condition?.require(trx);
      return this.updateWithin(trx, { id, patch, auditContext });
    });
  }

  /** Does the same as `update`, in a transaction that `transact` has opened, but does not check `auditContext.condition`. */
  async updateWithin(
    trx: Transaction<Schema>,
    { id, patch, isOwn, keepsInvalidOthers, auditContext }: AccountChange,
  ): Promise<Account> {
    const { username, attributes, groups, ...rest } = patch;
    const columns: Updateable<AccountTable> = {
      ...(username === undefined ? {} : toUsernameColumns(username)),
      ...toPatchColumns(rest),
    };
    if (!isAccountId(id)) throw new AccountNotFound();
    if (columns.email !== undefined)
      await this.formerEmails.prepareChange({ accountId: id, email: columns.email, isOwn, auditContext }, trx);
    if (attributes !== undefined || groups !== undefined) {
      await this.attributes.write(id, { ...patch, ...defined({ keepsInvalidOthers }) }, trx);
    }
    const row = await this.#write(id, columns, trx);
    if (columns.username_key !== undefined) {
      await requireNotReserved({ key: columns.username_key, accountId: id, now: this.database.now() }, trx);
    }
    await this.names.claim(toClaim(id, columns, row), trx);
    await this.audit.record(
      { ...auditContext, kind: 'account.changed', accountId: id, detail: { fields: toFields(patch) } },
      trx,
    );
    return row;
  }

  /**
   * Disabling ends the account's sessions in the same transaction.
   * @param auditContext `sourceState`, for the audit log: the source that does not admit the person, and the state of the person there
   * @throws AccountNotFound
   */
  async setStatus(id: string, status: Account['status'], auditContext: StatusContext = SYSTEM): Promise<Account> {
    return this.transact((trx) => this.setStatusWithin(trx, { id, status, auditContext }));
  }

  /** Does the same as `setStatus`, in the transaction of another change. */
  async setStatusWithin(
    trx: Transaction<Schema>,
    {
      id,
      status,
      auditContext: { sourceState = null, ...auditContext },
    }: { id: string; status: Account['status']; auditContext: StatusContext },
  ): Promise<Account> {
    const account = await this.#write(id, { status }, trx);
    await keepStatus(id, trx);
    const sessionCount = status === 'disabled' ? await this.#endSessions(id, trx) : 0;
    const kind = status === 'disabled' ? 'account.disabled' : 'account.enabled';
    // Version 0.2 recorded the state as `reason`; the reason that an operator states takes precedence.
    const detail = {
      ...sourceState,
      ...(sourceState ? { reason: sourceState.state } : {}),
      ...(sessionCount > 0 ? { sessions: sessionCount } : {}),
    };
    await this.audit.record(
      { ...auditContext, kind, accountId: id, ...(sourceState || sessionCount > 0 ? { detail } : {}) },
      trx,
    );
    return account;
  }

  /** From now on, the SCIM source that disabled the account cannot enable it. */
  async keepDisabled(id: string): Promise<void> {
    await keepStatus(id, this.database.db);
  }

  /** Runs the work in one transaction. @throws UsernameTaken, SubjectTaken if another account has the name or subject */
  async transact<T>(work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction(work);
    } catch (error) {
      if (violatesUnique(error, 'account_username_key')) throw new UsernameTaken();
      if (['account_pkey', 'account_subject_subject'].some((name) => violatesUnique(error, name))) throw new SubjectTaken();
      throw error;
    }
  }

  async #endSessions(accountId: string, trx: Transaction<Schema>): Promise<number> {
    await discardSecrets({ accountId, purposes: [...PASSWORD_RESETS, 'factor-reset'] }, trx);
    return endAllSessions({ accountId, now: this.database.now(), upstream: 'everything' }, trx);
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
      .returning(RETURNED_COLUMNS)
      .executeTakeFirst();
    if (!row) throw new AccountNotFound();
    return toAccount(row);
  }
}

/** From now on, the SCIM source of the account cannot enable it, unless the source itself is writing the status (`scim/scim-users.ts`). */
async function keepStatus(id: string, db: Kysely<Schema>): Promise<void> {
  await db.updateTable('scim_user').set({ disabled_here: false }).where('account_id', '=', id).execute();
}

function toFields(patch: AccountPatch): string[] {
  return Object.entries(patch).flatMap(([field, value]) => (value === undefined ? [] : [field]));
}

/** Claims only names that the change writes: existing names that conflict keep working. */
function toClaim(accountId: string, columns: Updateable<AccountTable>, row: Account): StoredClaim {
  const { username, email } = columns;
  const ownEmailKey = row.email === undefined ? null : toEmailKey(row.email);
  const names = { ...defined({ username }), ...defined({ email }) };
  return { accountId, ...names, ownEmailKey, verifiedKey: columns.email_verified === true ? ownEmailKey : null };
}
