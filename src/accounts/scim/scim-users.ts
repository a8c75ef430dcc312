/**
 * People whom SCIM sources push. A source sees and changes only accounts that are linked to it, and makes nobody an operator. Every
 * change of an account, its events and the stored resource are one transaction. Ends at Hydra are queued; the caller settles them.
 */
import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import type { ScimSettings } from '../../config/source-settings.js';
import { foldText } from '../../contract/folded-text.js';
import { Database } from '../../database/database.js';
import { violatesUnique } from '../../database/failures.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { AccountError } from '../account/account.errors.js';
import { accountColumns, isAccountId, toAccount, type Account, type AccountFields } from '../account/account.js';
import { Accounts } from '../account/accounts.js';
import { toEmailKey } from '../account/fields.js';
import { checkUsername, usernameKey } from '../account/username.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { DeleteAccount } from '../changes/delete-account.js';
import { insertLink } from '../identities/identity-rows.js';
import { toScimSource } from '../identities/source-accounts.js';
import { removeUnchanged } from '../identities/source-values.js';
import { rightsByGrant } from '../operators/account-rights.js';
import { SetPassword } from '../password/set-password.js';
import type { ScimResource } from './scim-resource.js';
import { ScimRefused, invalidValue, notFound, notUnique } from './scim-refused.js';
import { GroupClaims } from './group-claims.js';
import { ScimOffers } from './scim-offers.js';
import { findEmail, toEmailKeys, toPatch, toRefusal, toValues, type ScimValues, type ValueRules } from './scim-values.js';

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
  /** Versions of which the client expects one (RFC 7644, section 3.14); absent if it expects none. */
  versions?: readonly number[];
  by: AuditContext;
}

export interface ChangedUser {
  user: ScimUser;
  /** Whether sessions and grants have to end at Hydra. */
  hasEnded: boolean;
}

interface UserRow extends AccountFields {
  source: string;
  active: boolean;
  disabled_here: boolean;
  resource: ScimResource;
  version: number;
  created: Date;
  modified: Date;
  deleted_at: Date | null;
  /** Rights of an operator by grants that have not ended. */
  granted: string[];
}

/** What a client wrote. */
interface Written {
  /** Without `active` and `password`. */
  resource: ScimResource;
  active: boolean | undefined;
  password: string | undefined;
}

const FIND_IN_THE_WAY = new Statement<{ name: string | null; email: string | null }, { id: string }>(
  'scim-user.in-the-way',
  ({ param }) => sql`
    select id from account where username_key = ${param('name')}::text
    union all select id from account where email_key = ${param('email')}::text and email_verified
    limit 1`,
);

@Injectable()
export class ScimUsers {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly deletions: DeleteAccount,
    private readonly passwords: SetPassword,
    private readonly audit: AuditLog,
    private readonly offers: ScimOffers,
    private readonly claims: GroupClaims,
    @Inject(CONFIG) private readonly config: Pick<Config, 'accounts' | 'language'>,
  ) {}

  /** @throws ScimRefused */
  async create(source: ScimSettings, given: ScimResource, by: AuditContext): Promise<ChangedUser> {
    const written = toWritten(given);
    requireName(written);
    const hash = await this.#hashNew(source, written);
    return this.#refuseTaken(source, async () => {
      const kept = await this.#findDeleted(source, written.resource);
      if (kept !== null) return this.#change({ source, id: kept, by }, () => given, { hash, isRevived: true });
      const offered = await this.offers.find(toScimSource(source.id), written.resource);
      if (offered !== null) return this.#takeOver({ source, id: offered, by }, written, hash);
      return this.#createNew(source, written, { by, hash });
    });
  }

  /** @throws ScimRefused */
  async get(source: ScimSettings, id: string): Promise<ScimUser> {
    const row = await this.#find({ source, id }, this.database.db);
    if (!row || row.deleted_at !== null) throw notFound();
    return toUser(row);
  }

  /** @param change returns what the person becomes, and throws if it cannot be understood @throws ScimRefused */
  async change({ source, id, ...more }: ScimChange, change: (stored: ScimResource) => ScimResource): Promise<ChangedUser> {
    // The password is hashed before the transaction, because that takes long.
    const current = await this.get(source, id);
    const { password } = toWritten(change(withActive(current)));
    const hash = await this.#hashExisting(source, id, password);
    return this.#refuseTaken(source, () => this.#change({ source, id, ...more }, change, { hash, isRevived: false }));
  }

  /** @returns whether the account was kept because it belongs to an operator @throws ScimRefused */
  async remove({ source, id, versions, by }: ScimChange): Promise<{ isKeptOperator: boolean }> {
    return this.accounts.transact(async (trx) => {
      const row = await this.#lock({ source, id }, trx);
      if (!row || row.deleted_at !== null) throw notFound();
      requireVersion(row.version, versions);
      const isOperator = row.granted.length > 0;
      if (source.onDelete === 'delete' && !isOperator) {
        await this.deletions.deleteWithin(id, by, trx);
        return { isKeptOperator: false };
      }
      // The link stays, so that what the source wrote into the account never makes it an operator by OPERATORS.
      if (row.status === 'active') await this.#disable(source, { id, by }, trx);
      await trx.deleteFrom('scim_group_member').where('account_id', '=', id).execute();
      await this.claims.write(source, [id], by, trx);
      await trx
        .updateTable('scim_user')
        .set({ deleted_at: this.database.now(), active: false, disabled_here: row.disabled_here || row.status === 'active' })
        .where('account_id', '=', id)
        .execute();
      return { isKeptOperator: isOperator && source.onDelete === 'delete' };
    });
  }

  async #createNew(
    source: ScimSettings,
    { resource, active = true }: Written,
    { by, hash }: { by: AuditContext; hash: string | null },
  ): Promise<ChangedUser> {
    const values = toValues(resource, this.#rules(source));
    const user = await this.accounts.transact(async (trx) => {
      const account = await this.accounts.createWithin(trx, { ...values, ...toSubject(source, resource) }, by);
      const { id } = account;
      await this.#connect(source, { id, by }, trx);
      await this.#insert(source, { id, resource, active, isDisabledHere: !active }, trx);
      if (hash !== null) await this.passwords.write({ account, hash, by }, trx);
      if (!active) await this.#disable(source, { id, by }, trx);
      return this.#find({ source, id }, trx);
    });
    if (!user) throw notFound();
    return { user: toUser(user), hasEnded: false };
  }

  /** Gives an account that an operator has offered to the source. It keeps its username if that of the source is not free. */
  async #takeOver({ source, id, by }: ScimChange, written: Written, hash: string | null, isRenamed = true): Promise<ChangedUser> {
    const { resource, active = true } = written;
    try {
      return await this.accounts.transact(async (trx) => {
        await this.offers.take({ accountId: id, source: toScimSource(source.id), keepsPassword: source.password, by }, trx);
        await this.#connect(source, { id, by }, trx);
        await this.#insert(source, { id, resource, active, isDisabledHere: false }, trx);
        const row = await this.#lock({ source, id }, trx);
        if (!row) throw notFound();
        const after = toValues(resource, this.#rules(source));
        const values = isRenamed ? after : { ...after, username: row.username };
        await this.#writeAccount(row, { before: { ...values, attributes: {} }, after: values, by }, trx);
        await this.#writeStatus(source, row, { active, by }, trx);
        if (hash !== null) await this.passwords.write({ account: row, hash, by }, trx);
        const taken = await this.#find({ source, id }, trx);
        if (!taken) throw notFound();
        return { user: toUser(taken), hasEnded: true };
      });
    } catch (error) {
      if (isRenamed && error instanceof AccountError && error.field === 'username')
        return this.#takeOver({ source, id, by }, written, hash, false);
      throw error;
    }
  }

  async #change(
    { source, id, versions, by }: ScimChange,
    change: (stored: ScimResource) => ScimResource,
    { hash, isRevived }: { hash: string | null; isRevived: boolean },
  ): Promise<ChangedUser> {
    return this.accounts.transact(async (trx) => {
      const row = await this.#lock({ source, id }, trx);
      if (!row || (row.deleted_at !== null) !== isRevived) throw notFound();
      requireVersion(row.version, versions);
      const current = toUser(row);
      const { resource, active = isRevived || row.active } = toWritten(change(withActive(current)));
      requireName({ resource });
      requireOperatorUnchanged(row, { resource, active, hash });
      const rules = this.#rules(source);
      const [before, after] = [toValues(current.resource, rules), toValues(resource, rules)];
      await this.#writeAccount(row, { before, after, by }, trx);
      const isDisabledHere = await this.#writeStatus(source, row, { active, by }, trx);
      if (hash !== null) await this.passwords.write({ account: { id, username: after.username }, hash, by }, trx);
      const isSame = !isRevived && active === row.active && isDeepStrictEqual(resource, current.resource);
      await trx
        .updateTable('scim_user')
        .set({
          ...toColumns(resource),
          active,
          disabled_here: isDisabledHere,
          deleted_at: null,
          ...(isSame ? {} : { version: row.version + 1, modified_at: this.database.now() }),
        })
        .where('account_id', '=', id)
        .execute();
      const changed = await this.#find({ source, id }, trx);
      if (!changed) throw notFound();
      return { user: toUser(changed), hasEnded: hash !== null || (!active && row.status === 'active') };
    });
  }

  /** Writes only what differs from the account, because the event names what has changed. */
  async #writeAccount(
    row: UserRow,
    { before, after, by }: { before: ScimValues; after: ScimValues; by: AuditContext },
    trx: Transaction<Schema>,
  ): Promise<void> {
    const account: Account = toAccount(row);
    const patch = removeUnchanged(account, toPatch(account, before, after), this.accounts.attributes);
    if (Object.keys(patch).length > 0) await this.accounts.updateWithin(trx, { id: row.id, patch, by });
  }

  /**
   * An account that an operator has disabled stays disabled, whatever the source says.
   * @returns whether the source has disabled the account
   */
  async #writeStatus(
    source: ScimSettings,
    { id, status, disabled_here: wasDisabledHere }: UserRow,
    { active, by }: { active: boolean; by: AuditContext },
    trx: Transaction<Schema>,
  ): Promise<boolean> {
    if (!active && status === 'active') {
      await this.#disable(source, { id, by }, trx);
      return true;
    }
    if (active && wasDisabledHere && status === 'disabled')
      await this.accounts.setStatusWithin(trx, { id, status: 'active', by });
    return !active && wasDisabledHere;
  }

  async #disable(source: ScimSettings, { id, by }: { id: string; by: AuditContext }, trx: Transaction<Schema>): Promise<void> {
    const why = { source: toScimSource(source.id), state: 'disabled' };
    await this.accounts.setStatusWithin(trx, { id, status: 'disabled', by: { ...by, why } });
  }

  async #connect(
    { id: sourceId }: ScimSettings,
    { id, by }: { id: string; by: AuditContext },
    trx: Transaction<Schema>,
  ): Promise<void> {
    const [source, now] = [toScimSource(sourceId), this.database.now()];
    await insertLink({ accountId: id, source, subject: id, profile: '', connected_at: now, seen_at: now }, trx);
    await this.audit.record({ ...by, kind: 'source.connected', accountId: id, detail: { source } }, trx);
  }

  async #insert(
    source: ScimSettings,
    { id, resource, active, isDisabledHere }: { id: string; resource: ScimResource; active: boolean; isDisabledHere: boolean },
    trx: Transaction<Schema>,
  ): Promise<void> {
    const now = this.database.now();
    await trx
      .insertInto('scim_user')
      .values({
        account_id: id,
        source: toScimSource(source.id),
        ...toColumns(resource),
        active,
        disabled_here: isDisabledHere,
        version: 1,
        created_at: now,
        modified_at: now,
      })
      .execute();
  }

  /** @returns the account of a person whom the source has deleted and creates again; null if there is none */
  async #findDeleted({ id }: ScimSettings, resource: ScimResource): Promise<string | null> {
    const { user_name_key: key, external_id: externalId } = toColumns(resource);
    const found = await this.database.db
      .selectFrom('scim_user')
      .select('account_id')
      .where('source', '=', toScimSource(id))
      .where('deleted_at', 'is not', null)
      .where(({ eb, or }) =>
        or([eb('user_name_key', '=', key), ...(externalId === null ? [] : [eb('external_id', '=', externalId)])]),
      )
      .execute();
    // Two different people have the name and the id.
    return found.length === 1 ? (found[0]?.account_id ?? null) : null;
  }

  async #find(
    named: Pick<ScimChange, 'source' | 'id'>,
    db: Pick<Transaction<Schema>, 'getExecutor'>,
  ): Promise<UserRow | undefined> {
    return this.#select(named, db, sql``);
  }

  /** Locks the account first, like every change of an account. */
  async #lock(named: Pick<ScimChange, 'source' | 'id'>, trx: Transaction<Schema>): Promise<UserRow | undefined> {
    return this.#select(named, trx, sql`for update of a`);
  }

  async #select(
    { source, id }: Pick<ScimChange, 'source' | 'id'>,
    db: Pick<Transaction<Schema>, 'getExecutor'>,
    lock: ReturnType<typeof sql>,
  ): Promise<UserRow | undefined> {
    if (!isAccountId(id)) return undefined;
    const { rows } = await sql<UserRow>`
      select ${accountColumns('a')}, ${rightsByGrant('a', this.database.now())} as granted, u.source, u.active, u.disabled_here,
        u.resource, u.version, u.created_at as created, u.modified_at as modified, u.deleted_at
      from scim_user u join account a on a.id = u.account_id
      where u.account_id = ${id}::uuid and u.source = ${toScimSource(source.id)} ${lock}`.execute(db as Transaction<Schema>);
    return rows[0];
  }

  /** @returns the account here that has the name or the verified address of a person; null if there is none. For operators only */
  async findInTheWay(resource: ScimResource): Promise<string | null> {
    const email = findEmail(resource);
    const [row] = await this.database.run(FIND_IN_THE_WAY, {
      name: usernameKey(String(resource['userName'] ?? '')),
      email: email === undefined ? null : toEmailKey(email),
    });
    return row?.id ?? null;
  }

  #rules(source: ScimSettings): ValueRules {
    return { source, schema: this.config.accounts.schema, locales: this.config.language.offered.locales };
  }

  /** @returns null if no password is to be set */
  async #hashNew(source: ScimSettings, { resource, password }: Written): Promise<string | null> {
    if (!source.password || password === undefined) return null;
    const username = await this.#refuseTaken(source, async () => checkUsername(String(resource['userName'])));
    requireGood(this.passwords.findFaults(password, username));
    return this.passwords.hash(password);
  }

  async #hashExisting(source: ScimSettings, id: string, password: string | undefined): Promise<string | null> {
    if (!source.password || password === undefined) return null;
    const account = await this.accounts.find(id);
    if (!account) throw notFound();
    requireGood(await this.passwords.faultsFor(account, password));
    return this.passwords.hash(password);
  }

  async #refuseTaken<T>(source: ScimSettings, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AccountError) throw toRefusal(error, source);
      if (violatesUnique(error, 'scim_user_name')) throw notUnique('userName', 'is taken');
      if (violatesUnique(error, 'scim_user_external')) throw notUnique('externalId', 'is taken');
      throw error;
    }
  }
}

export function toUser(row: Pick<UserRow, 'id' | 'active' | 'resource' | 'version' | 'created' | 'modified'>): ScimUser {
  return {
    id: row.id,
    active: row.active,
    resource: row.resource,
    version: row.version,
    createdAt: row.created,
    modifiedAt: row.modified,
  };
}

function withActive({ resource, active }: ScimUser): ScimResource {
  return { ...resource, active };
}

function toWritten({ active, password, ...resource }: ScimResource): Written {
  return {
    resource,
    active: typeof active === 'boolean' ? active : undefined,
    password: typeof password === 'string' ? password : undefined,
  };
}

/** Bounds what the database keeps of a person. */
const MAX_RESOURCE_BYTES = 65_536;

function toColumns(resource: ScimResource) {
  const json = JSON.stringify(resource);
  if (Buffer.byteLength(json) > MAX_RESOURCE_BYTES) throw invalidValue('The resource', 'is larger than 64 kB');
  const externalId = resource['externalId'];
  return {
    user_name_key: foldText(String(resource['userName']).trim()),
    external_id: typeof externalId === 'string' ? externalId : null,
    emails: toEmailKeys(resource),
    resource: json,
  };
}

function toSubject({ subjectPrefix }: ScimSettings, { externalId }: ScimResource): { subject?: string } {
  if (subjectPrefix === undefined) return {};
  if (typeof externalId !== 'string') throw invalidValue('externalId', 'is missing: it becomes the subject of the account');
  return defined({ subject: `${subjectPrefix}${externalId}` });
}

function requireName({ resource }: Pick<Written, 'resource'>): void {
  if (typeof resource['userName'] !== 'string') throw invalidValue('userName', 'is missing');
}

function requireGood(faults: readonly string[]): void {
  if (faults.length > 0) throw invalidValue('password', `does not fit the rules of this installation (${faults.join(', ')})`);
}

/** @throws ScimRefused */
export function requireVersion(version: number, versions: readonly number[] | undefined): void {
  if (versions === undefined || versions.includes(version)) return;
  throw new ScimRefused(412, null, 'The resource has another version than If-Match says: read it again.');
}

/** Whoever can write the directory must not take over an operator: by a name, an address, a password or an account that is enabled. */
function requireOperatorUnchanged(
  row: UserRow,
  { resource, active, hash }: { resource: ScimResource; active: boolean; hash: string | null },
): void {
  if (row.granted.length === 0) return;
  const refuse = (field: string): ScimRefused =>
    new ScimRefused(403, null, `${field} of an operator of this installation cannot be changed by SCIM: ask an operator.`, field);
  for (const field of ['userName', 'externalId', 'emails'])
    if (!isDeepStrictEqual(resource[field], row.resource[field])) throw refuse(field);
  if (hash !== null) throw refuse('password');
  if (active && row.status === 'disabled' && row.disabled_here) throw refuse('active');
}
