/**
 * Import of accounts from another product, in batches. Existing accounts are left unchanged, so an import can be
 * repeated after an interruption.
 *
 * Lists of names are looked up with statements that are planned each time: a cached plan from when the table was small
 * scans the whole table for every name and makes a large import about four times slower.
 */
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import type { CheckedImport } from './imported-account.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditContext } from '../audit/audit-log.js';

/** `held`: the name is reserved for its former owner. `id-taken`: the id belongs to an account with another name. */
export type ImportOutcome = { kind: 'free' | 'held' | 'id-taken' } | { kind: 'exists' | 'created'; id: string };

export interface ImportRow extends CheckedImport {
  /** Password hash in any format that the hasher verifies. */
  passwordHash: string | null;
  /** Description of the hash for the audit log. */
  passwordKind: string;
  /** Detail of the audit event: which second factors were imported. */
  factorDetail?: Readonly<Record<string, boolean>>;
}

/** Writes an account's data in other tables, in the transaction that creates the account. */
export type AlsoInsert = (made: readonly { id: string; row: ImportRow }[], trx: Transaction<Schema>) => Promise<void>;

interface Taken {
  id: string;
  username_key: string;
}

const INSERT = new Statement<{ rows: string }, Taken>(
  'import.insert',
  ({ slot, now }) => sql`
    insert into account (id, username, username_key, display_name, email, email_key, email_verified, picture, language, group_name,
      status, second_factor, created_at, updated_at)
    select coalesce(r.id, gen_random_uuid()), r.username, r.username_key, r.display_name, r.email, r.email_key,
      coalesce(r.email_verified, false), r.picture, r.language, r.group_name, coalesce(r.status, 'active'), r.second_factor,
      least(r.created_at, ${now}), ${now}
    from jsonb_to_recordset(${slot('rows')}::jsonb) as r(id uuid, username text, username_key text, display_name text,
      email text, email_key text, email_verified boolean, picture text, language text, group_name text, status text,
      second_factor text, created_at timestamptz)
    on conflict do nothing
    returning id, username_key`,
);

const INSERT_PASSWORDS = new Statement<{ rows: string }, never>(
  'import.insert-passwords',
  ({ slot, now }) => sql`
    insert into password_credential (account_id, hash, changed_at)
    select id, hash, ${now} from jsonb_to_recordset(${slot('rows')}::jsonb) as r(id uuid, hash text) where hash is not null`,
);

const INSERT_IDENTITIES = new Statement<{ rows: string }, never>(
  'import.insert-identities',
  ({ slot, now }) => sql`
    insert into external_identity (account_id, provider, issuer, subject, label, connected_at)
    select r.id, r.provider, r.issuer, r.subject, r.label, least(r.connected_at, ${now})
    from jsonb_to_recordset(${slot('rows')}::jsonb) as r(id uuid, provider text, issuer text, subject text, label text,
      connected_at timestamptz)`,
);

@Injectable()
export class AccountImports {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /** Finds what prevents the import of each row; writes nothing. Names and ids must be unique within a call. */
  async check(rows: readonly CheckedImport[]): Promise<ImportOutcome[]> {
    const keys = rows.map(({ username_key }) => username_key);
    const taken = await this.#taken(rows);
    const held = await this.#held(keys, this.database.db);
    return rows.map((row) => {
      const outcome = outcomeOf(taken, row);
      return outcome.kind === 'free' && isHeldFrom(held, row.username_key, row.id) ? { kind: 'held' } : outcome;
    });
  }

  /** Inserts all rows that `check` found free, or none. Rows taken since then are reported as by `check`. */
  async insert(rows: readonly ImportRow[], by: AuditContext, alsoInsert?: AlsoInsert): Promise<ImportOutcome[]> {
    if (rows.length === 0) return [];
    const ids = await this.database.transaction(async (trx) => {
      const inserted = await this.#insertFree(rows, trx);
      const made = rows.flatMap((row) => {
        const id = inserted.get(row.username_key);
        return id === undefined ? [] : [{ id, row }];
      });
      const passwords = made.map(({ id, row }) => ({ id, hash: row.passwordHash }));
      await this.database.run(INSERT_PASSWORDS, { rows: JSON.stringify(passwords) }, trx);
      await alsoInsert?.(made, trx);
      const events = made.map(({ id, row }) => ({
        accountId: id,
        detail: { password: row.passwordKind, ...row.factorDetail },
      }));
      await this.audit.recordMany({ ...by, kind: 'account.imported' }, events, trx);
      await this.#connect(made, by, trx);
      return inserted;
    });
    const rest = rows.filter((row) => !ids.has(row.username_key));
    const outcomes = new Map((await this.check(rest)).map((outcome, index) => [rest[index]?.username_key, outcome]));
    return rows.map(({ username_key }): ImportOutcome => {
      const id = ids.get(username_key);
      return id === undefined ? (outcomes.get(username_key) ?? { kind: 'free' }) : { kind: 'created', id };
    });
  }

  /** @returns ids by name, for rows whose name and id were free */
  async #insertFree(rows: readonly ImportRow[], trx: Transaction<Schema>): Promise<Map<string, string>> {
    const columns = rows.map(
      ({ hash: _, identities: __, passwordHash: ___, passwordKind: ____, factorDetail: _____, ...row }) => row,
    );
    const inserted = await this.database.run(
      INSERT,
      { rows: JSON.stringify(columns.map((row) => ({ created_at: 'infinity', ...row }))) },
      trx,
    );
    // Checked again: the unique index has waited for a concurrent release of a name.
    const keys = inserted.map(({ username_key }) => username_key);
    const held = await this.#held(keys, trx);
    const refused = inserted.filter(({ id, username_key }) => isHeldFrom(held, username_key, id));
    if (refused.length > 0) {
      const ids = refused.map(({ id }) => id);
      await trx.deleteFrom('account').where('id', 'in', ids).execute();
    }
    const kept = inserted.filter((row) => !refused.includes(row));
    return new Map(kept.map(({ id, username_key }) => [username_key, id]));
  }

  /** Same as connecting an identity, but without a mail. */
  async #connect(made: readonly { id: string; row: ImportRow }[], by: AuditContext, trx: Transaction<Schema>): Promise<void> {
    const identities = made.flatMap(({ id, row }) => row.identities.map((identity) => ({ id, ...identity })));
    if (identities.length === 0) return;
    await this.database.run(INSERT_IDENTITIES, { rows: JSON.stringify(identities) }, trx);
    const events = identities.map(({ id, provider }) => ({ accountId: id, detail: { provider } }));
    await this.audit.recordMany({ ...by, kind: 'provider.connected' }, events, trx);
  }

  async #taken(rows: readonly CheckedImport[]): Promise<TakenNames> {
    const keys = rows.map(({ username_key }) => username_key);
    const ids = rows.flatMap(({ id }) => (id === undefined ? [] : [id]));
    const { rows: taken } = await sql<Taken>`
      select id, username_key from account where username_key = any(${keys}::text[])
      union select id, username_key from account where id = any(${ids}::uuid[])`.execute(this.database.db);
    return { names: new Map(taken.map((row) => [row.username_key, row.id])), ids: new Set(taken.map(({ id }) => id)) };
  }

  /** @returns the account that each name is reserved for */
  async #held(keys: readonly string[], db: Kysely<Schema>): Promise<Map<string, string | null>> {
    const { rows } = await sql<{ username_key: string; account_id: string | null }>`
      select username_key, account_id from held_username
      where username_key = any(${keys}::text[]) and held_until > ${this.database.now()}`.execute(db);
    return new Map(rows.map((row) => [row.username_key, row.account_id]));
  }
}

interface TakenNames {
  names: ReadonlyMap<string, string>;
  ids: ReadonlySet<string>;
}

function outcomeOf({ names, ids }: TakenNames, { username_key, id }: CheckedImport): ImportOutcome {
  const there = names.get(username_key);
  if (there !== undefined) return { kind: 'exists', id: there };
  return { kind: id !== undefined && ids.has(id) ? 'id-taken' : 'free' };
}

function isHeldFrom(held: ReadonlyMap<string, string | null>, key: string, id: string | undefined): boolean {
  const owner = held.get(key);
  return owner !== undefined && (owner === null || owner !== id);
}
