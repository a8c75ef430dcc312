/** Writes the accounts of people whom a SCIM source pushes, in the transaction that also stores the person (`scim-users.ts`). */
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from 'kysely';
import { CONFIG } from '../../config/config.token.js';
import type { Config } from '../../config/config.js';
import { defined } from '../../config/defined.js';
import type { ScimSettings } from '../../config/source-settings.js';
import { Database } from '../../database/database.js';
import { violatesUnique } from '../../database/failures.js';
import type { Schema } from '../../database/schema.js';
import { AccountError } from '../account/account.errors.js';
import { toAccount, type Account, type AccountFields } from '../account/account.js';
import { Accounts } from '../account/accounts.js';
import { CredentialsFrozen, requireNotFrozen } from '../account/credential-freeze.js';
import { toReadId } from '../account/account-subjects.js';
import { checkUsername } from '../account/username.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { removeDeletion } from '../changes/account-deletions.js';
import { DeleteAccount } from '../changes/delete-account.js';
import { insertLink } from '../identities/identity-rows.js';
import { toScimSource } from '../../config/stored-sources.js';
import { removeUnchanged } from '../identities/source-values.js';
import { discardAllSecrets } from '../secrets/one-time-secrets.js';
import { endAllSessions } from '../sessions/browser-sessions.js';
import { SetPassword } from '../password/set-password.js';
import { withdrawTerms } from '../terms/terms-acceptances.js';
import type { ScimResource } from './scim-resource.js';
import { ScimRefused, invalidValue, notFound, notUnique } from './scim-refused.js';
import { toOtherPersonPatch, toPatch, toRefusal, toValues, type ScimValues } from './scim-values.js';

/** The account that is changed, and the source that changes it. */
export interface ChangedAccount {
  source: ScimSettings;
  id: string;
  auditContext: AuditContext;
}

export interface StatusChange {
  source: ScimSettings;
  auditContext: AuditContext;
  /** The value of `active` from the source. */
  active: boolean;
  /** Whether the source has disabled the account. */
  wasDisabledBySource: boolean;
  account: Pick<Account, 'id' | 'status'>;
}

@Injectable()
export class ScimAccounts {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly deletions: DeleteAccount,
    private readonly passwords: SetPassword,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'accounts' | 'language'>,
  ) {}

  /** Runs a change in one transaction. @throws ScimRefused, also for values that an account cannot have */
  async transact<T>(source: ScimSettings, work: (trx: Transaction<Schema>) => Promise<T>): Promise<T> {
    try {
      return await this.accounts.transact(work);
    } catch (error) {
      if (error instanceof AccountError) throw toRefusal(error, source);
      if (error instanceof CredentialsFrozen)
        throw new ScimRefused(
          403,
          'mutability',
          'password cannot be changed now: the credentials are frozen, because somebody may have taken over the account.',
          'password',
        );
      if (violatesUnique(error, 'scim_user_name')) throw notUnique('userName', 'is taken');
      if (violatesUnique(error, 'scim_user_external')) throw notUnique('externalId', 'is taken');
      throw error;
    }
  }

  /** Refuses the subject of a deleted account, because apps would take the new account for the deleted one. @throws ScimRefused */
  async requireNewSubject(source: ScimSettings, resource: ScimResource): Promise<void> {
    const { subject } = toSubject(source, resource);
    if (subject === undefined) return;
    const spellings = [subject, toReadId(subject)].flatMap((spelling) => spelling?.toLowerCase() ?? []);
    if ((await this.audit.findDeletedSubjects(spellings)).size > 0)
      throw notUnique('externalId', 'is the subject of a deleted account');
  }

  async create(
    { source, resource, auditContext }: { source: ScimSettings; resource: ScimResource; auditContext: AuditContext },
    trx: Transaction<Schema>,
  ): Promise<Account> {
    const values = this.toValues(source, resource);
    const account = await this.accounts.createWithin(trx, { ...values, ...toSubject(source, resource) }, auditContext);
    await this.connect({ source, id: account.id, auditContext }, trx);
    return account;
  }

  /** Links the account to the source. Because of the link, no source is queried for the person, and OPERATORS does not apply. */
  async connect({ source: { id: sourceId }, id, auditContext }: ChangedAccount, trx: Transaction<Schema>): Promise<void> {
    const [source, now] = [toScimSource(sourceId), this.database.now()];
    await insertLink({ accountId: id, source, subject: id, profile: '', connected_at: now, seen_at: now }, trx);
    await this.audit.record({ ...auditContext, kind: 'source.connected', accountId: id, detail: { source } }, trx);
  }

  toValues(source: ScimSettings, resource: ScimResource): ScimValues {
    const { accounts, language } = this.config;
    return toValues(resource, { source, schema: accounts.schema, locales: language.offered.locales });
  }

  /**
   * Writes only the values that differ from the account, because the audit event names the changed fields.
   * @param formerValues null if the source gives the account to another person (`toOtherPersonPatch`)
   */
  async write(
    row: AccountFields,
    {
      formerValues,
      newValues,
      auditContext,
    }: { formerValues: ScimValues | null; newValues: ScimValues; auditContext: AuditContext },
    trx: Transaction<Schema>,
  ): Promise<void> {
    const account = toAccount(row);
    const { attributes } = this.accounts;
    const changes =
      formerValues === null
        ? toOtherPersonPatch(account, newValues, (values) => attributes.findFault(values))
        : toPatch(account, formerValues, newValues);
    const patch = removeUnchanged(account, changes, attributes);
    if (Object.keys(patch).length > 0) await this.accounts.updateWithin(trx, { id: row.id, patch, auditContext });
  }

  /**
   * Disables or enables the account. An account that an operator has disabled stays disabled, whatever the source sends.
   * @returns whether the source has disabled the account
   */
  async writeStatus(
    { source, auditContext, active, wasDisabledBySource, account: { id, status } }: StatusChange,
    trx: Transaction<Schema>,
  ): Promise<boolean> {
    if (!active && status === 'active') {
      await this.disable({ source, id, auditContext }, trx);
      return true;
    }
    if (active && wasDisabledBySource && status === 'disabled')
      await this.accounts.setStatusWithin(trx, { id, status: 'active', auditContext });
    return !active && wasDisabledBySource;
  }

  /**
   * Removes password, passkeys, identities, former addresses and all links and codes, and ends all sessions, because the account now belongs
   * to another person. The deletion that the previous person requested is cancelled, and accepted terms are
   * withdrawn. The next sign-in of the new person at the provider connects their identity. Second factors stay, because nobody can sign in
   * with a second factor alone.
   */
  async removeCredentials({ id, auditContext }: Omit<ChangedAccount, 'source'>, trx: Transaction<Schema>): Promise<void> {
    const deletion = trx.deleteFrom('external_identity').where('account_id', '=', id).returning('provider');
    for (const { provider } of await deletion.execute())
      await this.audit.record({ ...auditContext, kind: 'provider.disconnected', accountId: id, detail: { provider } }, trx);
    await trx.deleteFrom('password_credential').where('account_id', '=', id).execute();
    await trx.deleteFrom('passkey').where('account_id', '=', id).execute();
    await discardAllSecrets(id, trx);
    // A deletion is announced to the former addresses, with a link that works for the account.
    await trx.deleteFrom('former_email').where('account_id', '=', id).execute();
    await removeDeletion(id, { audit: this.audit, auditContext, way: 'source' }, trx);
    await withdrawTerms({ accountId: id }, { audit: this.audit, auditContext, now: this.database.now() }, trx);
    const sessions = await endAllSessions({ accountId: id, now: this.database.now(), upstream: 'everything' }, trx);
    if (sessions > 0)
      await this.audit.record({ ...auditContext, kind: 'sessions.ended', accountId: id, detail: { sessions } }, trx);
  }

  async disable({ source, id, auditContext }: ChangedAccount, trx: Transaction<Schema>): Promise<void> {
    const sourceState = { source: toScimSource(source.id), state: 'disabled' };
    await this.accounts.setStatusWithin(trx, { id, status: 'disabled', auditContext: { ...auditContext, sourceState } });
  }

  async delete({ id, auditContext }: Omit<ChangedAccount, 'source'>, trx: Transaction<Schema>): Promise<void> {
    await this.deletions.deleteWithin(id, auditContext, trx);
  }

  /**
   * Hashes a password outside of a transaction, because hashing takes long.
   * @param accountId absent for a new person
   * @returns null if the change sets no password, or people of the source have no password here @throws ScimRefused, HasherBusy
   */
  async hash(
    source: ScimSettings,
    { password, userName }: { password: string | undefined; userName: string },
    accountId?: string,
  ): Promise<string | null> {
    if (!source.password || password === undefined) return null;
    const faults =
      accountId === undefined
        ? await this.#findNewFaults(source, password, userName)
        : await this.#findFaults(accountId, password);
    if (faults.length === 0) return this.passwords.hash(password);
    throw invalidValue('password', `does not meet the rules of this installation (${faults.join(', ')})`);
  }

  async setPassword(
    account: Pick<Account, 'id' | 'username'>,
    { hash, auditContext }: { hash: string; auditContext: AuditContext },
    trx: Transaction<Schema>,
  ): Promise<void> {
    await requireNotFrozen({ accountId: account.id, now: this.database.now() }, trx);
    await this.passwords.write({ account, hash, auditContext }, trx);
    await endAllSessions({ accountId: account.id, now: this.database.now(), upstream: 'sessions' }, trx);
  }

  async #findNewFaults(source: ScimSettings, password: string, userName: string): Promise<readonly string[]> {
    try {
      return await this.passwords.findFaults(password, checkUsername(userName));
    } catch (error) {
      throw error instanceof AccountError ? toRefusal(error, source) : error;
    }
  }

  async #findFaults(accountId: string, password: string): Promise<readonly string[]> {
    const account = await this.accounts.find(accountId);
    if (!account) throw notFound();
    return this.passwords.findAccountFaults(account, password);
  }
}

function toSubject({ subjectPrefix }: ScimSettings, { externalId }: ScimResource): { subject?: string } {
  if (subjectPrefix === undefined) return {};
  if (typeof externalId !== 'string') throw invalidValue('externalId', 'is missing: it becomes the subject of the account');
  return defined({ subject: `${subjectPrefix}${externalId}` });
}
