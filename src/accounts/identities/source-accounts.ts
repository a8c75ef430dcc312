/**
 * Accounts of people from sources (`src/sources`). A person is (source, id at the source), never a name or an e-mail address:
 * an account that is there already is not connected by them, because whoever writes the source could take it over.
 */
import { Inject, Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { Logger } from 'pino';
import { fingerprint } from '../../config/keys.js';
import { LOG } from '../../config/log.token.js';
import { Database } from '../../database/database.js';
import { violatesUnique } from '../../database/failures.js';
import type { Schema } from '../../database/schema.js';
import { Statement } from '../../database/statement.js';
import { SourceUnavailable } from '../../sources/source.errors.js';
import type { SourcePerson } from '../../sources/user-source.port.js';
import { AccountError, AttributeInvalid } from '../account/account.errors.js';
import { MOST_GROUPS, checkName } from '../account/fields.js';
import { accountColumns, toAccount } from '../account/account.js';
import type { Account, AccountFields, AccountPatch, NewAccount } from '../account/account.js';
import { Accounts } from '../account/accounts.js';
import { lockAccount } from '../account/lock.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import { AccountAttributes } from '../attributes/account-attributes.js';
import type { AttributePatch } from '../attributes/account-attributes.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditContext } from '../audit/audit-log.js';
import { MigratedAccounts } from './migrated-accounts.js';
import { SourceNames } from './source-names.js';

export interface SourceLink {
  source: string;
  subject: string;
}

export interface PersonOfSource {
  source: string;
  person: SourcePerson;
  by: AuditContext;
  /** When the source was asked, by the time of the database: what it said later is not replaced. Absent: now. */
  askedAt?: Date;
  /** Also what the source said before: it may have been left out then, and be possible now. */
  isAnew?: true;
  /** Of the password that was right: it is kept here from now on. */
  hash?: string | undefined;
}

export interface EnteredAccount {
  account: Account;
  /** A session that starts with this proof must present it; see `account/security-stamp.ts`. */
  securityStamp: string;
  isFrozen: boolean;
}

/** The password is kept here, or was a moment ago; see `MigratedAccounts`. */
export interface EnteredByMigration {
  isMigrated: true;
}

/** The account cannot be made: its username is taken, reserved or cannot be one. `reason` is for the log. */
export interface NoAccount {
  reason: string;
}

interface KnownRow extends AccountFields {
  security_stamp: string;
  profile: string;
  frozen: boolean;
}

type Draft = Omit<NewAccount, 'username'>;

/** `readAt` is the time of the database: a source that is asked afterwards says what was so later. */
const LINK = new Statement<{ account: string }, SourceLink & { readAt: Date }>(
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

/** The account is locked first, as by everything that changes it. No row if a source that was asked later has been heard. */
const SEEN = new Statement<Record<'account' | 'profile', string> & { askedAt: Date | null }, { account_id: string }>(
  'source-account.seen',
  ({ param, now }) => sql`
    with owner as (
      select id, coalesce(${param('askedAt')}::timestamptz, ${now}) as asked_at from account where id = ${param('account')} for update
    )
    update source_account s set profile = ${param('profile')}, seen_at = owner.asked_at
    from owner where s.account_id = owner.id and s.seen_at <= owner.asked_at
    returning s.account_id`,
);

/** Only what still belongs to the source, and whose access did not end while its password was verified. */
const RELEASE = new Statement<Record<'account' | 'stamp', string>, { account_id: string }>(
  'source-account.release',
  ({ param, now }) => sql`
    delete from source_account s using account a
    where s.account_id = ${param('account')} and a.id = s.account_id and a.status = 'active'
      and ${SECURITY_STAMP} = ${param('stamp')} and not coalesce(a.credentials_frozen_until > ${now}, false)
    returning s.account_id`,
);

/** What is left out where the source's value cannot be one here: nobody is kept out by an address, or by another username. */
const OPTIONAL = ['username', 'email', 'displayName', 'groupName', 'groups', 'attributes'] as const;

@Injectable()
export class SourceAccounts {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly audit: AuditLog,
    private readonly names: SourceNames,
    private readonly attributes: AccountAttributes,
    private readonly migrated: MigratedAccounts,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** What was known of a person, and by which schema: nothing is written while both stay the same. */
  profileOf(person: SourcePerson): string {
    return fingerprint(JSON.stringify([person, this.attributes.schema]));
  }

  /** @returns null for an account of its own */
  async find(accountId: string): Promise<(SourceLink & { readAt: Date }) | null> {
    return (await this.database.run(LINK, { account: accountId }))[0] ?? null;
  }

  /**
   * The account of a proven person: made at the first sign-in, brought up to date at later ones.
   * @throws SourceUnavailable if a source that comes first cannot say whether the username of a new account is its own
   */
  async enter(of: PersonOfSource): Promise<EnteredAccount | EnteredByMigration | NoAccount> {
    const known = await this.#known(of);
    if (known) {
      const updated = await this.#updated(known, of);
      return (await this.#migrate(updated, of)) ? { isMigrated: true } : updated;
    }
    const refused = await this.#create(of);
    if (of.hash !== undefined && (await this.migrated.find({ source: of.source, subject: of.person.subject })))
      return { isMigrated: true };
    // Two sign-ins at once: the other one has made it.
    const made = await this.#known(of);
    return made ? this.#updated(made, of) : (refused ?? { reason: 'the account was deleted' });
  }

  async #known({ source, person: { subject } }: PersonOfSource): Promise<KnownRow | undefined> {
    return (await this.database.run(FIND, { source, subject }))[0];
  }

  async #create(of: PersonOfSource): Promise<NoAccount | null> {
    const { source, person, by } = of;
    const { username } = person;
    const owner = await this.names.ownerBefore(source, username);
    if (owner !== null) return { reason: nameOf(owner) };
    const names = await this.names.keysOf(source, person);
    const made = await this.#reduced(of, this.#draftOf(person), (draft) =>
      this.accounts.changing(async (trx) => {
        const account = await this.accounts.createWithin(trx, { username, ...draft }, by);
        if (of.hash === undefined) {
          await this.#link(account.id, of, trx);
          await this.names.write(account.id, names, trx);
        } else {
          await this.migrated.keep({ accountId: account.id, source, subject: person.subject, hash: of.hash, by }, trx);
        }
        await this.audit.record({ ...by, kind: 'source.connected', accountId: account.id, detail: { source } }, trx);
      }),
    ).catch((error: unknown) => {
      if (violatesUnique(error, 'source_account_person') || violatesUnique(error, 'migrated_account_person')) return null;
      throw error;
    });
    return made;
  }

  async #link(accountId: string, { source, person, askedAt }: PersonOfSource, trx: Transaction<Schema>): Promise<void> {
    const now = this.database.now();
    const of = { account_id: accountId, source, subject: person.subject, profile: this.profileOf(person) };
    await trx
      .insertInto('source_account')
      .values({ ...of, connected_at: now, seen_at: askedAt ?? now })
      .execute();
  }

  /** @returns false if there is nothing to keep, or the account is not to be changed now */
  async #migrate({ account, securityStamp }: EnteredAccount, { source, person, hash, by }: PersonOfSource): Promise<boolean> {
    if (hash === undefined) return false;
    const isKept = await this.database.transaction(async (trx) => {
      await lockAccount(account.id, trx);
      const released = await this.database.run(RELEASE, { account: account.id, stamp: securityStamp }, trx);
      if (released.length === 0) return false;
      await this.migrated.keep({ accountId: account.id, source, subject: person.subject, hash, by }, trx);
      return true;
    });
    // Two sign-ins at once: the other one has kept it.
    return isKept || (await this.migrated.find({ source, subject: person.subject })) !== null;
  }

  async #updated(known: KnownRow, of: PersonOfSource): Promise<EnteredAccount> {
    const { person, by, askedAt = null } = of;
    const before = enteredBy(known);
    const profile = this.profileOf(person);
    if (known.profile === profile && !of.isAnew) return before;
    const { id } = known;
    const named = await this.#named(known, of);
    // An empty one is that of nobody: the next sign-in tries again.
    const seen = { account: id, profile: named ? profile : '', askedAt };
    await this.#reduced(of, { ...changesOf(before.account, person, this.#draftOf(person)), ...named?.patch }, (patch) =>
      this.accounts.changing(async (trx) => {
        const isLatest = (await this.database.run(SEEN, seen, trx)).length > 0;
        if (isLatest && Object.keys(patch).length > 0) await this.accounts.updateWithin(trx, { id, patch, by });
        if (isLatest && named) await this.names.write(id, named.keys, trx);
      }),
    );
    const after = await this.#known(of);
    return after ? enteredBy(after) : before;
  }

  /** @returns null if it could not be found out whose names they are */
  async #named({ username }: KnownRow, of: PersonOfSource): Promise<{ patch: AccountPatch; keys: string[] } | null> {
    const { source, person } = of;
    try {
      const keys = await this.names.keysOf(source, person);
      if (username === person.username) return { patch: {}, keys };
      const owner = await this.names.ownerBefore(source, person.username);
      if (owner === null) return { patch: { username: person.username }, keys };
      this.#tell(of, `username is left out: ${nameOf(owner)}`);
      return { patch: {}, keys };
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw error;
      this.#tell(of, `names are left as they are: ${error.message}`);
      return null;
    }
  }

  #draftOf(person: SourcePerson): Draft {
    return draftOf(person, this.attributes.fromTexts(person.attributes));
  }

  /** @returns why it was refused, once everything that can be left out is left out */
  async #reduced<Values extends object>(
    of: PersonOfSource,
    values: Values,
    write: (values: Values) => Promise<void>,
  ): Promise<NoAccount | null> {
    try {
      await write(values);
      return null;
    } catch (error) {
      if (!(error instanceof AccountError)) throw error;
      const field = OPTIONAL.find((name) => name === error.field && isGiven(name, values));
      if (!field) return { reason: `${error.field}: ${error.message}` };
      this.#tell(of, `${field} is left out: ${error.message}`);
      return this.#reduced(of, { ...values, ...withoutField(field, values, error) }, write);
    }
  }

  #tell({ source, person: { subject } }: PersonOfSource, reason: string): void {
    this.log.warn({ source, subject, reason }, 'not everything that a source says of a person can be taken over');
  }
}

function enteredBy(row: KnownRow): EnteredAccount {
  return { account: toAccount(row), securityStamp: row.security_stamp, isFrozen: row.frozen };
}

function nameOf(source: string): string {
  return `username: the source ${source} comes first and knows this name.`;
}

/** What is left out already is not left out again; an address that stays as it is may still count as verified from now on. */
function isGiven(field: (typeof OPTIONAL)[number], values: object): boolean {
  const given = new Map<string, unknown>(Object.entries(values));
  return given.get(field) !== undefined || (field === 'email' && given.get('emailVerified') !== undefined);
}

/**
 * An attribute that cannot be taken over goes, then all go, unless that is refused too: a role that the source took away must
 * not stay.
 */
function withoutField(field: (typeof OPTIONAL)[number], values: object, error: AccountError): Record<string, unknown> {
  if (field === 'email') return { email: undefined, emailVerified: undefined };
  const attributes = 'attributes' in values && field === 'attributes' ? Object.entries(values.attributes ?? {}) : [];
  const given = attributes.flatMap(([name, value]) => (value === null ? [] : [name]));
  if (given.length === 0) return { [field]: undefined };
  const one = given.find((name) => error instanceof AttributeInvalid && error.isAt(name));
  return { [field]: Object.fromEntries(attributes.map(([name, value]) => [name, one && name !== one ? value : null])) };
}

/** What the source is not asked for stays as it is. */
function draftOf({ displayName, email, emailVerified, groups, hasGroupName }: SourcePerson, attributes: AttributePatch): Draft {
  const [first, ...others] = groups?.filter(isGroup).slice(0, MOST_GROUPS) ?? [];
  return {
    ...(displayName === undefined ? {} : { displayName }),
    ...(email === undefined ? {} : { email, ...(emailVerified ? { emailVerified } : {}) }),
    ...(groups === undefined ? {} : { groups: first === undefined ? [] : [first, ...others] }),
    ...(hasGroupName && first !== undefined ? { groupName: first } : {}),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
}

/** One name that cannot be a group's must not keep the others as they were. */
function isGroup(name: string): boolean {
  try {
    return checkName('groups', name) !== '';
  } catch (error) {
    if (error instanceof AccountError) return false;
    throw error;
  }
}

/** An address that is written anew would count as a new one: not verified, and told to the old one. */
function changesOf(
  account: Account,
  { hasGroupName }: SourcePerson,
  { email, emailVerified, ...draft }: Draft,
): Omit<AccountPatch, 'username'> {
  const isSame = email === undefined || email === account.email;
  return {
    ...(hasGroupName ? { groupName: null } : {}),
    ...draft,
    ...(isSame ? {} : { email }),
    ...(emailVerified === true && !(isSame && account.emailVerified) ? { emailVerified } : {}),
  };
}
