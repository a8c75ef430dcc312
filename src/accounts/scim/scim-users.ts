/**
 * People whom SCIM sources push. A source sees and changes only accounts that are linked to it, and cannot make anybody an operator. One
 * transaction writes the change of an account, its events and the stored resource. The end of sessions and grants at Hydra is queued.
 */
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { ScimSettings } from '../../config/source-settings.js';
import { foldText } from '../../contract/folded-text.js';
import { Database } from '../../database/database.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { accountColumns, isAccountId, type AccountFields } from '../account/account.js';
import { AccountError } from '../account/account.errors.js';
import { toEmailKey } from '../account/fields.js';
import { beginPresentPerson } from '../account/present-person.js';
import { checkUsername, toUsernameKey } from '../account/username.js';
import type { AuditContext } from '../audit/audit-log.js';
import { toScimSource } from '../../config/stored-sources.js';
import { selectGrantedRightsSql } from '../operators/account-rights.js';
import { GroupClaims } from './group-claims.js';
import { ScimAccounts } from './scim-accounts.js';
import { ScimOffers } from './scim-offers.js';
import type { ScimResource } from './scim-resource.js';
import { OperatorChangeRefused, ScimRefused, invalidValue, notFound, notUnique } from './scim-refused.js';
import { findEmail, toEmailKeys, type ScimValues } from './scim-values.js';

/** A person of a source, as the source sees it. */
export interface ScimUser {
  id: string;
  active: boolean;
  /** Without `active` and `password`. */
  resource: ScimResource;
  version: number;
  createdAt: Date;
  modifiedAt: Date;
}

export interface ScimChange {
  source: ScimSettings;
  id: string;
  /** The versions that the client accepts (RFC 7644, section 3.14); absent if it accepts any version. */
  versions?: readonly number[];
  auditContext: AuditContext;
}

export interface ChangedUser {
  user: ScimUser;
  /** Whether sessions and grants have to end at Hydra. */
  endsSessions: boolean;
}

/** Returns the resource of a person after the change. @throws ScimRefused if the change is not valid */
export type Change = (resource: ScimResource) => ScimResource;

export interface UserColumns {
  id: string;
  active: boolean;
  resource: ScimResource;
  version: number;
  resource_created_at: Date;
  resource_modified_at: Date;
}

interface UserRow extends AccountFields, UserColumns {
  disabled_here: boolean;
  deleted_at: Date | null;
  /** Operator rights by grants that have not ended. */
  granted_rights: string[];
}

/** A person as a client has sent them. */
interface WrittenUser {
  /** Without `active` and `password`. */
  resource: ScimResource;
  userName: string;
  active: boolean | undefined;
  password: string | undefined;
}

interface ChangeOptions {
  /** Hash of a new password. */
  hash: string | null;
  /** Whether the source creates a deleted person again. */
  isRecreated: boolean;
}

/** Limits what the database stores about a person. */
const MAX_RESOURCE_BYTES = 65_536;

const FIND_CONFLICTING_ACCOUNT = new Statement<{ name: string | null; email: string | null }, { id: string }>(
  'scim-user.find-conflicting',
  ({ param }) => sql`
    select id from account where username_key = ${param('name')}::text
    union all select id from account where email_key = ${param('email')}::text and email_verified
    limit 1`,
);

@Injectable()
export class ScimUsers {
  constructor(
    private readonly database: Database,
    private readonly accounts: ScimAccounts,
    private readonly offers: ScimOffers,
    private readonly claims: GroupClaims,
  ) {}

  /** @throws ScimRefused, HasherBusy */
  async create(source: ScimSettings, resource: ScimResource, auditContext: AuditContext): Promise<ChangedUser> {
    const writtenUser = toWrittenUser(resource);
    const hash = await this.accounts.hash(source, writtenUser);
    const deletedId = await this.#findDeletedAccount(source, writtenUser.resource);
    if (deletedId !== null)
      return this.#change({ source, id: deletedId, auditContext }, () => resource, { hash, isRecreated: true });
    const offeredId = await this.offers.find(toScimSource(source.id), writtenUser.resource);
    if (offeredId !== null) return this.#takeOver({ source, id: offeredId, auditContext }, writtenUser, hash);
    await this.accounts.requireNewSubject(source, writtenUser.resource);
    return this.#createNew(source, writtenUser, { auditContext, hash });
  }

  /** @throws ScimRefused */
  async get(source: ScimSettings, id: string): Promise<ScimUser> {
    const row = await this.#find({ source, id }, this.database.db);
    if (!row || row.deleted_at !== null) throw notFound();
    return toUser(row);
  }

  /** @param mayHavePassword false only if the change does not set the password @throws ScimRefused, HasherBusy */
  async change({ source, id, ...rest }: ScimChange, change: Change, mayHavePassword: boolean): Promise<ChangedUser> {
    // A password is hashed before the account is locked. Only for that reason, the change is applied twice.
    const isHashed = source.password && mayHavePassword;
    const hash = isHashed
      ? await this.accounts.hash(source, toWrittenUser(change(addActive(await this.get(source, id)))), id)
      : null;
    return this.#change({ source, id, ...rest }, change, { hash, isRecreated: false });
  }

  /** @returns whether the account was only disabled because it belongs to an operator @throws ScimRefused */
  async remove({ source, id, versions, auditContext }: ScimChange): Promise<{ isKeptOperator: boolean }> {
    return this.accounts.transact(source, async (trx) => {
      const row = await this.#lock({ source, id }, trx);
      if (!row || row.deleted_at !== null) throw notFound();
      requireVersion(row.version, versions);
      const isOperator = row.granted_rights.length > 0;
      if (source.onDelete === 'delete' && !isOperator) {
        await this.accounts.delete({ id, auditContext }, trx);
        return { isKeptOperator: false };
      }
      // The link stays, so that what the source wrote into the account never makes it an operator by OPERATORS.
      if (row.status === 'active') await this.accounts.disable({ source, id, auditContext }, trx);
      await trx.deleteFrom('scim_group_member').where('account_id', '=', id).execute();
      await this.claims.write({ source, ids: [id], auditContext }, trx);
      await trx
        .updateTable('scim_user')
        .set({ deleted_at: this.database.now(), active: false, disabled_here: row.disabled_here || row.status === 'active' })
        .where('account_id', '=', id)
        .execute();
      return { isKeptOperator: isOperator && source.onDelete === 'delete' };
    });
  }

  /**
   * Only operators may see the result.
   * @returns the id of an account that has the username or verified address of a person; null if there is none
   */
  async findConflictingAccount(resource: ScimResource): Promise<string | null> {
    const { userName } = resource;
    const email = findEmail(resource);
    const [row] = await this.database.run(FIND_CONFLICTING_ACCOUNT, {
      name: typeof userName === 'string' ? toUsernameKey(userName) : null,
      email: email === undefined ? null : toEmailKey(email),
    });
    return row?.id ?? null;
  }

  async #createNew(
    source: ScimSettings,
    { resource, active = true }: WrittenUser,
    { auditContext, hash }: { auditContext: AuditContext; hash: string | null },
  ): Promise<ChangedUser> {
    return this.accounts.transact(source, async (trx) => {
      const account = await this.accounts.create({ source, resource, auditContext }, trx);
      const { id } = account;
      if (hash !== null) await this.accounts.setPassword(account, { hash, auditContext }, trx);
      if (!active) await this.accounts.disable({ source, id, auditContext }, trx);
      await this.#insert({ source, id, resource, active, isDisabledBySource: !active }, trx);
      return { user: await this.#read({ source, id }, trx), endsSessions: false };
    });
  }

  /** Links an account that an operator has offered. The account keeps its username if it cannot have the username from the source. */
  async #takeOver(target: ScimChange, writtenUser: WrittenUser, hash: string | null): Promise<ChangedUser> {
    const { source } = target;
    const take = (isRenamed: boolean): Promise<ChangedUser> =>
      this.accounts.transact(source, (trx) => this.#take({ ...target, ...writtenUser, isRenamed, hash }, trx));
    try {
      return await take(isUsername(writtenUser.userName));
    } catch (error) {
      if (error instanceof ScimRefused && error.field === 'userName') return take(false);
      throw error;
    }
  }

  async #take(
    {
      source,
      id,
      auditContext,
      resource,
      active = true,
      isRenamed,
      hash,
    }: ScimChange & WrittenUser & { isRenamed: boolean; hash: string | null },
    trx: Transaction<Schema>,
  ): Promise<ChangedUser> {
    const offer = { accountId: id, source: toScimSource(source.id), resource, keepsPassword: source.password };
    await this.offers.take(offer, trx);
    await this.accounts.connect({ source, id, auditContext }, trx);
    await this.#insert({ source, id, resource, active, isDisabledBySource: false }, trx);
    const row = await this.#lock({ source, id }, trx);
    if (!row) throw notFound();
    const values = this.accounts.toValues(source, resource);
    const formerValues = { username: row.username, attributes: {} };
    const newValues = isRenamed ? values : { ...values, username: row.username };
    await this.accounts.write(row, { formerValues, newValues, auditContext }, trx);
    // The account may have had groups here.
    await this.claims.write({ source, ids: [id], auditContext }, trx);
    await this.#writeStatus({ source, row, active, auditContext }, trx);
    if (hash !== null) await this.accounts.setPassword({ id, username: newValues.username }, { hash, auditContext }, trx);
    return { user: await this.#read({ source, id }, trx), endsSessions: true };
  }

  /** If the source does not change `userName`, an account that cannot have this username keeps its own. */
  async #change(target: ScimChange, change: Change, options: ChangeOptions): Promise<ChangedUser> {
    const write = (keepsUsername: boolean): Promise<ChangedUser> =>
      this.accounts.transact(target.source, (trx) => this.#writeChange(target, { ...options, change, keepsUsername }, trx));
    try {
      return await write(false);
    } catch (error) {
      if (error instanceof ScimRefused && error.field === 'userName') return write(true);
      throw error;
    }
  }

  async #writeChange(
    { source, id, versions, auditContext }: ScimChange,
    { change, hash, isRecreated, keepsUsername }: ChangeOptions & { change: Change; keepsUsername: boolean },
    trx: Transaction<Schema>,
  ): Promise<ChangedUser> {
    const row = requireState(await this.#lock({ source, id }, trx), isRecreated);
    requireVersion(row.version, versions);
    const currentUser = toUser(row);
    const { resource, userName, active = isRecreated || row.active } = toWrittenUser(change(addActive(currentUser)));
    requireOperatorUnchanged(row, { resource, active, hash });
    const [formerValues, sentValues] = [currentUser.resource, resource].map((one) =>
      keepOperatorValues(row, this.accounts.toValues(source, one)),
    );
    if (!formerValues || !sentValues) throw notFound();
    const hasOtherPerson = isOtherPerson(currentUser.resource, resource);
    const isKeptName = keepsUsername && !hasOtherPerson && userName === currentUser.resource['userName'];
    const newValues = isKeptName ? { ...sentValues, username: row.username } : sentValues;
    await this.accounts.write(row, { formerValues: hasOtherPerson ? null : formerValues, newValues, auditContext }, trx);
    if (hasOtherPerson) await this.accounts.removeCredentials({ id, auditContext }, trx);
    await this.#writeStatus({ source, row, active, auditContext }, trx);
    if (hash !== null) await this.accounts.setPassword({ id, username: newValues.username }, { hash, auditContext }, trx);
    await this.#update(row, { resource, active }, trx);
    if (hasOtherPerson) await beginPresentPerson({ accountId: id, now: this.database.now() }, trx);
    return {
      user: await this.#read({ source, id }, trx),
      endsSessions: hash !== null || hasOtherPerson || (!active && row.status === 'active'),
    };
  }

  async #update(
    row: UserRow,
    { resource, active }: Pick<UserColumns, 'resource' | 'active'>,
    trx: Transaction<Schema>,
  ): Promise<void> {
    const isSame = row.deleted_at === null && active === row.active && isDeepStrictEqual(resource, row.resource);
    const version = isSame ? {} : { version: row.version + 1, modified_at: this.database.now() };
    await trx
      .updateTable('scim_user')
      .set({ ...toColumns(resource), active, deleted_at: null, ...version })
      .where('account_id', '=', row.id)
      .execute();
  }

  async #writeStatus(
    { source, row, active, auditContext }: { source: ScimSettings; row: UserRow; active: boolean; auditContext: AuditContext },
    trx: Transaction<Schema>,
  ): Promise<void> {
    const change = { source, auditContext, active, wasDisabledBySource: row.disabled_here, account: row };
    const isDisabledBySource = await this.accounts.writeStatus(change, trx);
    await trx.updateTable('scim_user').set({ disabled_here: isDisabledBySource }).where('account_id', '=', row.id).execute();
  }

  async #insert(
    person: { source: ScimSettings; id: string; resource: ScimResource; active: boolean; isDisabledBySource: boolean },
    trx: Transaction<Schema>,
  ): Promise<void> {
    const { source, id, resource, active, isDisabledBySource } = person;
    const now = this.database.now();
    const times = { created_at: now, modified_at: now };
    await trx
      .insertInto('scim_user')
      .values({
        ...{ account_id: id, source: toScimSource(source.id), version: 1, active, disabled_here: isDisabledBySource },
        ...toColumns(resource),
        ...times,
      })
      .execute();
  }

  /** @returns the id of the account of a person whom the source has deleted and creates again; null if there is none, or more than one */
  async #findDeletedAccount({ id }: ScimSettings, resource: ScimResource): Promise<string | null> {
    const { user_name_key: key, external_id: externalId } = toColumns(resource);
    const foundRows = await this.database.db
      .selectFrom('scim_user')
      .select('account_id')
      .where('source', '=', toScimSource(id))
      .where('deleted_at', 'is not', null)
      // A username may belong to another person later, so it does not identify a person who has an `externalId`.
      .where(sql<boolean>`(external_id = ${externalId}::text or (user_name_key = ${key} and external_id is null))`)
      .execute();
    return foundRows.length === 1 ? (foundRows[0]?.account_id ?? null) : null;
  }

  async #read(target: Pick<ScimChange, 'source' | 'id'>, trx: Transaction<Schema>): Promise<ScimUser> {
    const row = await this.#find(target, trx);
    if (!row) throw notFound();
    return toUser(row);
  }

  /**
   * Locks the account first, like every change of an account. A separate statement reads the person: in one statement, PostgreSQL would
   * return the values from before the wait for the lock.
   */
  async #lock(target: Pick<ScimChange, 'source' | 'id'>, trx: Transaction<Schema>): Promise<UserRow | undefined> {
    const { source, id } = target;
    if (!isAccountId(id)) return undefined;
    await sql`
      select a.id from account a where a.id = ${id}::uuid
        and exists (select from scim_user u where u.account_id = a.id and u.source = ${toScimSource(source.id)})
      for update of a`.execute(trx);
    return this.#find(target, trx);
  }

  async #find({ source, id }: Pick<ScimChange, 'source' | 'id'>, db: Kysely<Schema>): Promise<UserRow | undefined> {
    if (!isAccountId(id)) return undefined;
    const { rows } = await sql<UserRow>`
      select ${accountColumns('a')}, ${selectGrantedRightsSql('a', this.database.now())} as granted_rights, u.active, u.disabled_here,
        u.resource, u.version, u.created_at as resource_created_at, u.modified_at as resource_modified_at,
        u.deleted_at
      from scim_user u join account a on a.id = u.account_id
        join source_account s on s.account_id = u.account_id and s.source = u.source
      where u.account_id = ${id}::uuid and u.source = ${toScimSource(source.id)}`.execute(db);
    return rows[0];
  }
}

export function toUser({ id, active, resource, version, ...times }: UserColumns): ScimUser {
  return { id, active, resource, version, createdAt: times.resource_created_at, modifiedAt: times.resource_modified_at };
}

function addActive({ resource, active }: ScimUser): ScimResource {
  return { ...resource, active };
}

/** @throws ScimRefused */
function toWrittenUser({ active, password, ...resource }: ScimResource): WrittenUser {
  const { userName } = resource;
  if (typeof userName !== 'string') throw invalidValue('userName', 'is missing');
  return {
    resource,
    userName,
    active: typeof active === 'boolean' ? active : undefined,
    password: typeof password === 'string' ? password : undefined,
  };
}

/** @throws ScimRefused */
function toColumns(resource: ScimResource) {
  const json = JSON.stringify(resource);
  if (Buffer.byteLength(json) > MAX_RESOURCE_BYTES)
    throw new ScimRefused(400, 'invalidValue', 'The resource is larger than 64 kB.');
  const { externalId, userName } = resource;
  return {
    user_name_key: typeof userName === 'string' ? foldText(userName.trim()) : '',
    external_id: typeof externalId === 'string' ? externalId : null,
    emails: toEmailKeys(resource),
    resource: json,
  };
}

function isUsername(text: string): boolean {
  try {
    return checkUsername(text) !== '';
  } catch (error) {
    if (error instanceof AccountError) return false;
    throw error;
  }
}

/** @param isRecreated as in `ChangeOptions` @throws ScimRefused */
function requireState(row: UserRow | undefined, isRecreated: boolean): UserRow {
  // A concurrent call has created the person again.
  if (isRecreated && row?.deleted_at === null) throw notUnique('userName', 'is taken');
  if (!row || (row.deleted_at !== null) !== isRecreated) throw notFound();
  return row;
}

/** @throws ScimRefused */
export function requireVersion(version: number, versions: readonly number[] | undefined): void {
  if (versions === undefined || versions.includes(version)) return;
  throw new ScimRefused(412, null, 'The version of the resource does not match If-Match: read the resource again.');
}

/**
 * For an operator, uses the username and address of the account: an operator may have corrected them before the right was granted, and
 * the next change by the source must not restore the earlier values.
 */
function keepOperatorValues({ granted_rights, username }: UserRow, values: ScimValues): ScimValues {
  if (granted_rights.length === 0) return values;
  const { email: _, emailVerified: __, ...rest } = values;
  return { ...rest, username };
}

/**
 * A person who can write to the directory must not be able to take over an operator's account by changing the name, id, address or
 * password, or by enabling the account. @throws OperatorChangeRefused
 */
function requireOperatorUnchanged(
  row: UserRow,
  { resource, active, hash }: { resource: ScimResource; active: boolean; hash: string | null },
): void {
  if (row.granted_rights.length === 0) return;
  for (const field of ['userName', 'externalId', 'emails'])
    if (!isDeepStrictEqual(resource[field], row.resource[field])) throw new OperatorChangeRefused(field);
  if (hash !== null) throw new OperatorChangeRefused('password');
  if (active && row.status === 'disabled' && row.disabled_here) throw new OperatorChangeRefused('active');
}

/**
 * Whether the source has assigned the account to another person: the `externalId` has changed or was removed. A new id where there was
 * none does not indicate another person.
 */
function isOtherPerson({ externalId: formerId }: ScimResource, { externalId: newId }: ScimResource): boolean {
  return typeof formerId === 'string' && formerId !== newId;
}
