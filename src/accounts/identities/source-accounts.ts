/**
 * Accounts of people from user sources (`src/sources`) and from providers that provision accounts. A person is identified by (source,
 * id at the source) or (issuer, subject), never by a name or an e-mail address: otherwise a person who can write entries of the source
 * could take an existing account over.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import { fingerprint } from '../../config/keys.js';
import { LOG } from '../../config/log.token.js';
import { Database } from '../../database/database.js';
import { violatesUnique } from '../../database/failures.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { SourceUnavailable } from '../../sources/source.errors.js';
import type { SourcePerson } from '../../sources/user-source.port.js';
import { AccountError } from '../account/account.errors.js';
import { accountColumns, toAccount, type Account, type AccountFields, type AccountPatch } from '../account/account.js';
import { Accounts } from '../account/accounts.js';
import { createUsername } from '../account/username.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import { endAllSessions } from '../sessions/browser-sessions.js';
import { AuditLog, type AuditContext } from '../audit/audit-log.js';
import { PersonMigrated, insertIdentity, insertLink } from './identity-rows.js';
import { MigratedAccounts } from './migrated-accounts.js';
import { SourceNames } from './source-names.js';
import { OPTIONAL_FIELDS, findChanges, toDraft, hasField, removeField, removeUnchanged, type Draft } from './source-values.js';

export interface SourceLink {
  /** Id of a source, the issuer of a provider, or `scim:` followed by the id of a SCIM source. */
  source: string;
  subject: string;
}

export interface PersonOfSource {
  source: string;
  person: SourcePerson;
  auditContext: AuditContext;
  /** When the source was queried, by the clock of the database; default: now. Newer values are not replaced. */
  askedAt?: Date;
  /** Also writes values that have not changed at the source. They may have been refused before and be allowed now. */
  writesUnchanged?: true;
  /** Hash of the verified password, which Foyer stores from now on. */
  hash?: string | undefined;
  /** With `hash`: the source requires another password. */
  hasToChange?: boolean;
  /** The identity at the provider that provisions the account; absent for a user source. */
  identity?: { provider: string; label: string | null };
}

export interface ProvenAccount {
  account: Account;
  /** A session that starts with this proof must present it; see `account/security-stamp.ts`. */
  securityStamp: string;
  isFrozen: boolean;
}

/** The account cannot be created, for example because its username is taken, reserved or invalid. `reason` is for the log. */
export interface NoAccount {
  reason: string;
  /** A later attempt may succeed. */
  isTemporary?: true;
}

/** This sign-in or a concurrent one has taken the password over; see `MigratedAccounts`. */
export interface PasswordTakenOver extends NoAccount {
  isMigrated: true;
}

const PASSWORD_TAKEN_OVER: PasswordTakenOver = {
  isMigrated: true,
  reason: 'the password was taken over from the source',
  isTemporary: true,
};

interface KnownRow extends AccountFields {
  security_stamp: string;
  profile: string;
  frozen: boolean;
}

/** `readAt` is the time of the database. Values of a source that is queried afterwards are newer. */
const FIND_LINK = new Statement<{ account: string }, SourceLink & { readAt: Date }>(
  'source-account.link',
  ({ param, now }) => sql`select source, subject, ${now} as "readAt" from source_account where account_id = ${param('account')}`,
);

const FIND = new Statement<Record<'source' | 'subject', string>, KnownRow>(
  'source-account.find',
  ({ param, now }) => sql`
    select ${accountColumns('a')}, ${SECURITY_STAMP} as security_stamp, s.profile,
      coalesce(a.credentials_frozen_until > ${now}, false) as frozen
    from source_account s join account a on a.id = s.account_id
    where s.source = ${param('source')} and s.subject = ${param('subject')}`,
);

/** Locks the account first, like every change of an account. Returns no row if newer values of the source are already stored. */
const MARK_SEEN = new Statement<Record<'account' | 'profile', string> & { askedAt: Date | null }, { account_id: string }>(
  'source-account.seen',
  ({ param, now }) => sql`
    with owner as (
      select id, coalesce(${param('askedAt')}::timestamptz, ${now}) as asked_at from account where id = ${param('account')} for update
    )
    update source_account s set profile = ${param('profile')}, seen_at = owner.asked_at
    from owner where s.account_id = owner.id and s.seen_at <= owner.asked_at
    returning s.account_id`,
);

@Injectable()
export class SourceAccounts {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly audit: AuditLog,
    private readonly names: SourceNames,
    private readonly migratedAccounts: MigratedAccounts,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /**
   * @returns a fingerprint of the values of a person and of the schema. While it stays the same, nothing is written unless
   * `writesUnchanged` is set
   */
  toProfile(person: SourcePerson): string {
    return fingerprint(JSON.stringify([person, this.accounts.attributes.schema]));
  }

  /** @returns null for an account without a source */
  async find(accountId: string): Promise<(SourceLink & { readAt: Date }) | null> {
    return (await this.database.run(FIND_LINK, { account: accountId }))[0] ?? null;
  }

  /** Creates the account of a proven person at the first sign-in, and updates it at later sign-ins. */
  async createOrUpdate(entry: PersonOfSource): Promise<ProvenAccount | PasswordTakenOver | NoAccount> {
    return (await this.updateKnown(entry)) ?? this.createNew(entry);
  }

  /** Updates the account of a person whom the source or provider has described. @returns null if the person has no account */
  async updateKnown(entry: PersonOfSource & { hash?: undefined }): Promise<ProvenAccount | null>;
  async updateKnown(entry: PersonOfSource): Promise<ProvenAccount | PasswordTakenOver | null>;
  async updateKnown(entry: PersonOfSource): Promise<ProvenAccount | PasswordTakenOver | null> {
    const row = await this.#findKnown(entry);
    if (!row) return null;
    const { source, person, hash, hasToChange, auditContext } = entry;
    const account = await this.#update(row, entry);
    if (hash === undefined) return account;
    const password = { accountId: row.id, source, subject: person.subject, hash, hasToChange, auditContext };
    return (await this.migratedAccounts.take(password, account.securityStamp)) ? PASSWORD_TAKEN_OVER : account;
  }

  /** Creates the account of a proven person for whom `updateKnown` returned null. */
  async createNew(entry: PersonOfSource): Promise<ProvenAccount | PasswordTakenOver | NoAccount> {
    const refusal = await this.#create(entry);
    if (refusal && 'isMigrated' in refusal) return refusal;
    // A concurrent sign-in may have created the account.
    const createdRow = await this.#findKnown(entry);
    if (createdRow) return this.#update(createdRow, entry);
    if (await this.migratedAccounts.find({ source: entry.source, subject: entry.person.subject })) return PASSWORD_TAKEN_OVER;
    return refusal ?? { reason: 'the account was deleted' };
  }

  /** Ends the sessions of a person whom the source no longer admits. @returns the id of the account; null if there is none */
  async endAccess({ source, subject }: SourceLink, auditContext: AuditContext): Promise<string | null> {
    const accountId = (await this.database.run(FIND, { source, subject }))[0]?.id;
    if (accountId === undefined) return null;
    await this.database.transaction(async (trx) => {
      const sessions = await endAllSessions({ accountId, now: this.database.now(), upstream: 'everything' }, trx);
      if (sessions > 0)
        await this.audit.record({ ...auditContext, kind: 'sessions.ended', accountId, detail: { sessions } }, trx);
    });
    return accountId;
  }

  async #findKnown({ source, person: { subject } }: PersonOfSource): Promise<KnownRow | undefined> {
    return (await this.database.run(FIND, { source, subject }))[0];
  }

  /** @returns null if the person has an account now, whichever sign-in created it */
  async #create(entry: PersonOfSource): Promise<PasswordTakenOver | NoAccount | null> {
    const { source, person, auditContext, hash, hasToChange } = entry;
    const names = await this.#findNewNames(entry);
    if (!Array.isArray(names)) return names;
    try {
      const refusal = await this.#writeAcceptedValues(
        entry,
        { ...this.#toDraft(person), ...this.names.toSubject(source, person) },
        (draft) =>
          this.accounts.transact(async (trx) => {
            const username = this.#mayTakeUsername(entry) ? person.username : createUsername();
            const { id: accountId } = await this.accounts.createWithin(trx, { username, ...draft }, auditContext);
            await this.#link(accountId, entry, trx);
            if (hash !== undefined)
              await this.migratedAccounts.takeNew(
                { accountId, source, subject: person.subject, hash, hasToChange, auditContext },
                trx,
              );
            await this.names.write(accountId, names, trx);
            await this.audit.record({ ...auditContext, kind: 'source.connected', accountId, detail: { source } }, trx);
          }),
      );
      return refusal ?? (hash === undefined ? null : PASSWORD_TAKEN_OVER);
    } catch (error) {
      if (violatesUnique(error, 'source_account_person')) return null;
      // A gateway of the previous version may run concurrently, and does not write the row of the source first.
      if (error instanceof PersonMigrated || violatesUnique(error, 'migrated_account_person')) return PASSWORD_TAKEN_OVER;
      throw error;
    }
  }

  /**
   * @returns keys of the names, or the reason why no account can be created: an earlier source has the username, or a source is
   * unavailable
   */
  async #findNewNames({ source, person }: PersonOfSource): Promise<string[] | NoAccount> {
    try {
      const owner = await this.names.findEarlierOwner(source, person.username);
      return owner === null ? await this.names.findKeys(source, person) : { reason: `username: ${explainOwner(owner)}` };
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw error;
      return { reason: error.message, isTemporary: true };
    }
  }

  async #link(accountId: string, entry: PersonOfSource, trx: Transaction<Schema>): Promise<void> {
    const { source, person, identity, askedAt } = entry;
    const now = this.database.now();
    const { subject } = person;
    if (identity) await insertIdentity({ accountId, issuer: source, subject, ...identity, now }, trx);
    const columns = { profile: this.toProfile(person), connected_at: now, seen_at: askedAt ?? now };
    await insertLink({ accountId, source, subject, ...columns }, trx);
  }

  async #update(row: KnownRow, entry: PersonOfSource): Promise<ProvenAccount> {
    const { person, askedAt = null } = entry;
    const accountBefore = toProvenAccount(row);
    const profile = this.toProfile(person);
    if (row.profile === profile && !entry.writesUnchanged) return accountBefore;
    const names = await this.#findNames(row, entry);
    // No person has an empty profile, so the next sign-in tries again.
    const values = { account: row.id, profile: names ? profile : '', askedAt };
    await this.#writeAcceptedValues(
      entry,
      { ...findChanges(accountBefore.account, person, this.#toDraft(person)), ...names?.patch },
      (patch) =>
        this.accounts.transact(async (trx) => {
          if ((await this.database.run(MARK_SEEN, values, trx)).length === 0) return;
          await this.#change(entry, patch, trx);
          if (names) await this.names.write(row.id, names.keys, trx);
        }),
    );
    const updatedRow = await this.#findKnown(entry);
    return updatedRow ? toProvenAccount(updatedRow) : accountBefore;
  }

  /** Writes the values that differ from the account, which is read again under the lock. */
  async #change(
    { source, person: { subject }, auditContext }: PersonOfSource,
    patch: AccountPatch,
    trx: Transaction<Schema>,
  ): Promise<void> {
    const [row] = await this.database.run(FIND, { source, subject }, trx);
    const changes = row ? removeUnchanged(toAccount(row), patch, this.accounts.attributes) : {};
    if (row && Object.keys(changes).length > 0)
      await this.accounts.updateWithin(trx, { id: row.id, patch: changes, auditContext });
  }

  /** @returns null if a source that may have the names is unavailable */
  async #findNames({ username }: KnownRow, entry: PersonOfSource): Promise<{ patch: AccountPatch; keys: string[] } | null> {
    const { source, person } = entry;
    try {
      const keys = await this.names.findKeys(source, person);
      if (username === person.username) return { patch: {}, keys };
      if (!this.#mayTakeUsername(entry)) return { patch: {}, keys };
      const owner = await this.names.findEarlierOwner(source, person.username);
      if (owner === null) return { patch: { username: person.username }, keys };
      this.#logOmission(entry, `username is left out: ${explainOwner(owner)}`);
      return { patch: {}, keys };
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw error;
      this.#logOmission(entry, `names are left as they are: ${error.message}`);
      return null;
    }
  }

  #mayTakeUsername(entry: PersonOfSource): boolean {
    const isAllowed = entry.identity === undefined || this.names.allowsUsername(entry.person);
    if (!isAllowed) this.#logOmission(entry, 'username is left out: it is an address that the provider has not verified.');
    return isAllowed;
  }

  #toDraft(person: SourcePerson): Draft {
    return toDraft(person, this.accounts.attributes.fromTexts(person.attributes));
  }

  /** Writes the values except optional values that are refused. @returns why the rest was refused; null if it was written */
  async #writeAcceptedValues<Values extends object>(
    entry: PersonOfSource,
    values: Values,
    write: (values: Values) => Promise<void>,
  ): Promise<NoAccount | null> {
    try {
      await write(values);
      return null;
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      const field = OPTIONAL_FIELDS.find((name) => name === error.field && hasField(name, values));
      if (!field) return { reason: `${error.field}: ${error.message}` };
      this.#logOmission(entry, `${field} is left out: ${error.message}`);
      return this.#writeAcceptedValues(entry, { ...values, ...removeField(field, values, error) }, write);
    }
  }

  #logOmission({ source, person: { subject } }: PersonOfSource, reason: string): void {
    this.log.warn({ source, subject, reason }, 'not all values of a person could be taken over from the source');
  }
}

function toProvenAccount(row: KnownRow): ProvenAccount {
  return { account: toAccount(row), securityStamp: row.security_stamp, isFrozen: row.frozen };
}

function explainOwner(source: string): string {
  return `The source ${source} has this name and precedes this source.`;
}
