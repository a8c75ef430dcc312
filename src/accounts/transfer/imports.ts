/**
 * Imports accounts from another product, in batches. Existing accounts stay unchanged, so that an import can be
 * repeated after an interruption.
 *
 * Lists of names are looked up with statements that are planned each time. A plan that was cached while the table was small
 * scans the whole table for every name and makes a large import about four times slower.
 */
import { Injectable } from '@nestjs/common';
import { sql, type Kysely, type Transaction } from 'kysely';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { AccountAttributes } from '../attributes/account-attributes.js';
import { checkImport, type CheckedImport, type ImportedAccount } from './imported-account.js';
import { toReadId } from '../account/account-subjects.js';
import { AccountNames, type NameClaim } from '../account/account-names.js';
import type { AccountError } from '../account/account.errors.js';
import { insertPeople, findPeopleConflicts } from './imported-people.js';
import { AuditLog, type AuditContext, type AuditDetail } from '../audit/audit-log.js';

/**
 * `held`: the name is reserved for its former owner, or belonged to a deleted account. `id-taken`: the id of the row, or the UUID
 * that other systems may read in its subject, belongs to an account with another name. `conflict`: see `account/account-names.ts`
 * and `imported-people.ts`.
 */
export type ImportOutcome =
  | { kind: 'free' | 'held' | 'id-taken' }
  | { kind: 'conflict'; error: AccountError }
  | { kind: 'exists' | 'created'; id: string };

export interface ImportRow extends CheckedImport {
  /** Password hash in any format that the hasher verifies; null for an account without a password. */
  passwordHash: string | null;
  /** Description of the hash for the audit log. */
  passwordKind: string;
  /** Detail of the audit event: which second factors were imported. */
  factorDetail?: Readonly<Record<string, boolean>>;
}

interface CreatedAccount {
  id: string;
  row: ImportRow;
}

/** Writes data of accounts to other tables, in the transaction that creates the accounts. */
export type InsertRelatedData = (newAccounts: readonly CreatedAccount[], trx: Transaction<Schema>) => Promise<void>;

interface AccountKey {
  id: string;
  username_key: string;
}

const INSERT = new Statement<{ rows: string; request: string | null }, AccountKey>(
  'import.insert',
  ({ param, now }) => sql`
    insert into account (id, username, username_key, looked_username, display_name, email, email_key, email_verified, picture, language, group_name,
      groups, attributes, status, second_factor, created_at, updated_at, import_request_id)
    select coalesce(r.id, gen_random_uuid()), r.username, r.username_key, r.username, r.display_name, r.email, r.email_key,
      coalesce(r.email_verified, false), r.picture, r.language, r.group_name, coalesce(r.groups, '{}'), coalesce(r.attributes::jsonb, '{}'),
      coalesce(r.status, 'active'), r.second_factor,
      least(r.created_at, ${now}), ${now}, ${param('request')}::text
    from jsonb_to_recordset(${param('rows')}::jsonb) as r(id uuid, username text, username_key text, display_name text,
      email text, email_key text, email_verified boolean, picture text, language text, group_name text, groups text[], attributes text,
      status text,
      second_factor text, created_at timestamptz)
    on conflict do nothing
    returning id, username_key`,
);

const INSERT_PASSWORDS = new Statement<{ rows: string }, never>(
  'import.insert-passwords',
  ({ param, now }) => sql`
    insert into password_credential (account_id, hash, changed_at)
    select id, hash, ${now} from jsonb_to_recordset(${param('rows')}::jsonb) as r(id uuid, hash text) where hash is not null`,
);

const INSERT_IDENTITIES = new Statement<{ rows: string }, never>(
  'import.insert-identities',
  ({ param, now }) => sql`
    insert into external_identity (account_id, provider, issuer, subject, label, connected_at)
    select r.id, r.provider, r.issuer, r.subject, r.label, least(r.connected_at, ${now})
    from jsonb_to_recordset(${param('rows')}::jsonb) as r(id uuid, provider text, issuer text, subject text, label text,
      connected_at timestamptz)`,
);

@Injectable()
export class AccountImports {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly names: AccountNames,
    private readonly attributes: AccountAttributes,
  ) {}

  /** Validates the values of one account. @throws AccountFieldInvalid, AttributeInvalid, and the errors of `AccountNames.require` */
  read(account: ImportedAccount): CheckedImport {
    const row = checkImport(account, this.attributes);
    this.names.require({ username: row.username, ownEmailKey: row.email_key });
    return row;
  }

  /** Checks for each row whether it can be imported. Writes nothing. Names and ids must be unique within a call. */
  async check(rows: readonly CheckedImport[]): Promise<ImportOutcome[]> {
    const keys = rows.map(({ username_key }) => username_key);
    const takenNames = await this.#findTakenNames(rows);
    const reservedNames = await this.#findReservedNames(keys, this.database.db);
    const outcomes = rows.map((row): ImportOutcome => {
      const outcome = findOutcome(takenNames, row);
      return outcome.kind === 'free' && isReservedForAnother(reservedNames, row.username_key, row.id)
        ? { kind: 'held' }
        : outcome;
    });
    const freeRows = rows.filter((_, index) => outcomes[index]?.kind === 'free');
    const errors = await this.names.findConflicts(freeRows.map(toClaim), [], this.database.db);
    const peopleErrors = await findPeopleConflicts(freeRows, this.database);
    const conflicts = rows.map((row) => errors[freeRows.indexOf(row)] ?? peopleErrors[freeRows.indexOf(row)]);
    const newTakenNames = await this.#findTakenNames(rows.filter((_, index) => conflicts[index]));
    return rows.map((row, index): ImportOutcome => {
      const error = conflicts[index];
      if (!error) return outcomes[index] ?? { kind: 'free' };
      // Another import may have created this account since the first check: its name then seems to belong to another person.
      const outcome = findOutcome(newTakenNames, row);
      return outcome.kind === 'free' ? { kind: 'conflict', error } : outcome;
    });
  }

  /**
   * Inserts the rows that `check` found free. Rows whose name, id, subject or person has since been taken are omitted and reported as
   * `check` reports them.
   */
  async insert(
    rows: readonly ImportRow[],
    auditContext: AuditContext,
    insertRelatedData?: InsertRelatedData,
  ): Promise<ImportOutcome[]> {
    if (rows.length === 0) return [];
    const ids = await this.database.transaction(async (trx) => {
      const insertedIds = await this.#insertFree(rows, auditContext, trx);
      const newAccounts = rows.flatMap((row) => {
        const id = insertedIds.get(row.username_key);
        return id === undefined ? [] : [{ id, row }];
      });
      const passwords = newAccounts.map(({ id, row }) => ({ id, hash: row.passwordHash }));
      await this.database.run(INSERT_PASSWORDS, { rows: JSON.stringify(passwords) }, trx);
      await insertRelatedData?.(newAccounts, trx);
      await this.#connect(newAccounts, trx);
      if (newAccounts.length > 0)
        await this.audit.record({ ...auditContext, kind: 'account.imported', detail: toDetail(newAccounts) }, trx);
      return insertedIds;
    });
    const omittedRows = rows.filter((row) => !ids.has(row.username_key));
    const outcomes = new Map(
      (await this.check(omittedRows)).map((outcome, index) => [omittedRows[index]?.username_key, outcome]),
    );
    return rows.map(({ username_key }): ImportOutcome => {
      const id = ids.get(username_key);
      return id === undefined ? (outcomes.get(username_key) ?? { kind: 'free' }) : { kind: 'created', id };
    });
  }

  /** @returns ids by name, for the rows that were inserted */
  async #insertFree(
    rows: readonly ImportRow[],
    auditContext: AuditContext,
    trx: Transaction<Schema>,
  ): Promise<Map<string, string>> {
    const columns = rows.map(
      ({ hash: _, identities: __, passwordHash: ___, passwordKind: ____, factorDetail: _____, person: ______, ...row }) => row,
    );
    const insertedRows = await this.database.run(
      INSERT,
      {
        rows: JSON.stringify(columns.map((row) => ({ created_at: 'infinity', ...row }))),
        request: auditContext.requestId ?? null,
      },
      trx,
    );
    // The names are checked again, because the insert may have waited for a concurrent transaction that released one of them.
    const keys = insertedRows.map(({ username_key }) => username_key);
    const reservedNames = await this.#findReservedNames(keys, trx);
    const refusedRows = insertedRows.filter(({ id, username_key }) => isReservedForAnother(reservedNames, username_key, id));
    if (refusedRows.length > 0) {
      const ids = refusedRows.map(({ id }) => id);
      await trx.deleteFrom('account').where('id', 'in', ids).execute();
    }
    const remainingRows = await this.#removeConflicts(
      rows,
      insertedRows.filter((row) => !refusedRows.includes(row)),
      trx,
    );
    const rowByKey = new Map(rows.map((row) => [row.username_key, row]));
    const newAccounts = remainingRows.flatMap(({ id, username_key: key }) => {
      const row = rowByKey.get(key);
      return row ? [{ id, person: row.person, subject: row.subject }] : [];
    });
    const takenIds = await insertPeople(newAccounts, { database: this.database, auditContext }, trx);
    if (takenIds.length > 0) await trx.deleteFrom('account').where('id', 'in', takenIds).execute();
    return new Map(remainingRows.filter(({ id }) => !takenIds.includes(id)).map(({ id, username_key }) => [username_key, id]));
  }

  /**
   * Checks the names again under the locks, deletes the accounts whose names another change has since taken, and stores the
   * skeletons of the remaining names.
   * @returns the remaining accounts
   */
  async #removeConflicts(
    rows: readonly ImportRow[],
    insertedRows: readonly AccountKey[],
    trx: Transaction<Schema>,
  ): Promise<AccountKey[]> {
    const rowByKey = new Map(rows.map((row) => [row.username_key, row]));
    const orderedRows = rows.flatMap(({ username_key: key }) => insertedRows.filter(({ username_key }) => username_key === key));
    const claims = orderedRows.map(({ username_key: key }) => toClaim(rowByKey.get(key)));
    await this.names.lock(claims, trx);
    const ids = orderedRows.map(({ id }) => id);
    const errors = await this.names.findConflicts(claims, ids, trx);
    const conflictingIds = ids.filter((_, index) => errors[index]);
    if (conflictingIds.length > 0) await trx.deleteFrom('account').where('id', 'in', conflictingIds).execute();
    const remainingRows = orderedRows.filter((_, index) => !errors[index]);
    const usernames = remainingRows.map(({ id, username_key: key }) => ({
      accountId: id,
      username: rowByKey.get(key)?.username ?? key,
    }));
    await this.names.storeSkeletons(usernames, trx);
    return remainingRows;
  }

  /** Connects the identities. Sends no notices, and records no events: the event of the import counts the identities. */
  async #connect(newAccounts: readonly CreatedAccount[], trx: Transaction<Schema>): Promise<void> {
    const identities = newAccounts.flatMap(({ id, row }) => row.identities.map((identity) => ({ id, ...identity })));
    if (identities.length === 0) return;
    await this.database.run(INSERT_IDENTITIES, { rows: JSON.stringify(identities) }, trx);
  }

  async #findTakenNames(rows: readonly CheckedImport[]): Promise<TakenNames> {
    if (rows.length === 0) return { names: new Map(), ids: new Set() };
    const keys = rows.map(({ username_key }) => username_key);
    const ids = rows.flatMap(toReadIds);
    const { rows: accountKeys } = await sql<AccountKey>`
      select id, username_key from account where username_key = any(${keys}::text[])
      union select id, username_key from account where id = any(${ids}::uuid[])`.execute(this.database.db);
    return {
      names: new Map(accountKeys.map((row) => [row.username_key, row.id])),
      ids: new Set(accountKeys.map(({ id }) => id)),
    };
  }

  /** @returns for each reserved name, the account that may take it; null if no account may */
  async #findReservedNames(keys: readonly string[], db: Kysely<Schema>): Promise<Map<string, string | null>> {
    const { rows } = await sql<{ username_key: string; account_id: string | null }>`
      select username_key, account_id from held_username
      where username_key = any(${keys}::text[]) and held_until > ${this.database.now()}`.execute(db);
    return new Map(rows.map((row) => [row.username_key, row.account_id]));
  }
}

function toClaim(row: CheckedImport | undefined): NameClaim {
  const verifiedKey = row?.email_verified === true ? row.email_key : null;
  return { username: row?.username ?? '', email: row?.email, ownEmailKey: row?.email_key, verifiedKey };
}

interface TakenNames {
  names: ReadonlyMap<string, string>;
  ids: ReadonlySet<string>;
}

/**
 * Builds the detail of the one event that covers all accounts of a call; an event for each account would contain nothing more. The
 * accounts have the request id of the event. @returns the number of accounts, people, factors and identities, and the kinds of passwords
 */
function toDetail(newAccounts: readonly CreatedAccount[]): AuditDetail {
  const counts = new Map<string, number>();
  const add = (name: string, number: number): unknown => counts.set(name, (counts.get(name) ?? 0) + number);
  for (const { row } of newAccounts) {
    add('providers', row.identities.length);
    add('people', row.person ? 1 : 0);
    for (const [factor, isImported] of Object.entries(row.factorDetail ?? {})) add(factor, isImported ? 1 : 0);
  }
  const passwords = [...new Set(newAccounts.map(({ row }) => row.passwordKind))].sort();
  return { accounts: newAccounts.length, passwords, ...Object.fromEntries([...counts].filter(([, number]) => number > 0)) };
}

/** The ids by which other systems may identify the account: its own id, and an id that they may read from its subject. */
function toReadIds({ id, subject }: CheckedImport): string[] {
  return [id, toReadId(subject)].filter((id) => id !== undefined);
}

function findOutcome({ names, ids }: TakenNames, row: CheckedImport): ImportOutcome {
  const existingId = names.get(row.username_key);
  if (existingId !== undefined) return { kind: 'exists', id: existingId };
  return { kind: toReadIds(row).some((id) => ids.has(id)) ? 'id-taken' : 'free' };
}

function isReservedForAnother(reservedNames: ReadonlyMap<string, string | null>, key: string, id: string | undefined): boolean {
  const owner = reservedNames.get(key);
  return owner !== undefined && (owner === null || owner !== id);
}
