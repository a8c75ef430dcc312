/**
 * Accounts of people from sources (`src/sources`) and from providers that provision. A person is (source, id at the source) or
 * (issuer, subject), never a name or an e-mail address: an account that is there already is not connected by them, because
 * whoever writes the source could take it over.
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
import { AccountError } from '../account/account.errors.js';
import { accountColumns, toAccount } from '../account/account.js';
import type { Account, AccountFields, AccountPatch } from '../account/account.js';
import { Accounts } from '../account/accounts.js';
import { SECURITY_STAMP } from '../account/security-stamp.js';
import { endEverySessionOf } from '../sessions/browser-sessions.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditContext } from '../audit/audit-log.js';
import { insertIdentity } from './identity-rows.js';
import { MigratedAccounts } from './migrated-accounts.js';
import { SourceNames } from './source-names.js';
import { OPTIONAL, changesOf, draftOf, isGiven, withoutField, withoutSame } from './source-values.js';
import type { Draft } from './source-values.js';

export interface SourceLink {
  /** Id of a source, or the issuer of a provider. */
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
  /** Of a person of a provider: what a new account signs in with. */
  identity?: { provider: string; label: string | null };
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
  /** Another try may succeed. */
  isLater?: true;
}

interface KnownRow extends AccountFields {
  security_stamp: string;
  profile: string;
  frozen: boolean;
}

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

/** An id of a source has no colon (`USER_SOURCES`), an issuer has one (OpenID Connect Core, section 2). */
export function isIssuer(source: string): boolean {
  return source.includes(':');
}

@Injectable()
export class SourceAccounts {
  constructor(
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly audit: AuditLog,
    private readonly names: SourceNames,
    private readonly migrated: MigratedAccounts,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /** What was known of a person, and by which schema: nothing is written while both stay the same. */
  profileOf(person: SourcePerson): string {
    return fingerprint(JSON.stringify([person, this.accounts.attributes.schema]));
  }

  /** @returns null for an account of its own */
  async find(accountId: string): Promise<(SourceLink & { readAt: Date }) | null> {
    return (await this.database.run(LINK, { account: accountId }))[0] ?? null;
  }

  /** The account of a proven person: made at the first sign-in, brought up to date at later ones. */
  async enter(of: PersonOfSource & { hash?: undefined }): Promise<EnteredAccount | NoAccount>;
  async enter(of: PersonOfSource): Promise<EnteredAccount | EnteredByMigration | NoAccount>;
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

  async isKnown({ source, subject }: SourceLink): Promise<boolean> {
    return (await this.database.run(FIND, { source, subject })).length > 0;
  }

  /** Ends what is open of somebody whom the source does not let in any more. @returns the account; null if there is none */
  async endAccess({ source, subject }: SourceLink, by: AuditContext): Promise<string | null> {
    const [known] = await this.database.run(FIND, { source, subject });
    if (!known) return null;
    const { id: accountId } = known;
    await this.database.transaction(async (trx) => {
      const sessions = await endEverySessionOf({ accountId, now: this.database.now(), upstream: 'everything' }, trx);
      if (sessions > 0) await this.audit.record({ ...by, kind: 'sessions.ended', accountId, detail: { sessions } }, trx);
    });
    return accountId;
  }

  async #known({ source, person: { subject } }: PersonOfSource): Promise<KnownRow | undefined> {
    return (await this.database.run(FIND, { source, subject }))[0];
  }

  async #create(of: PersonOfSource): Promise<NoAccount | null> {
    const { source, person, by } = of;
    const { username } = person;
    const names = await this.#namesOfNew(of);
    if (!Array.isArray(names)) return names;
    const made = await this.#reduced(of, { ...this.#draftOf(person), ...this.names.subjectOf(of.source, person) }, (draft) =>
      this.accounts.changing(async (trx) => {
        const account = await this.accounts.createWithin(trx, { username, ...draft }, by);
        if (of.hash === undefined) await this.#link(account.id, of, trx);
        else await this.migrated.keep({ accountId: account.id, source, subject: person.subject, hash: of.hash, by }, trx);
        await this.names.write(account.id, names, trx);
        await this.audit.record({ ...by, kind: 'source.connected', accountId: account.id, detail: { source } }, trx);
      }),
    ).catch((error: unknown) => {
      if (violatesUnique(error, 'source_account_person') || violatesUnique(error, 'migrated_account_person')) return null;
      throw error;
    });
    return made;
  }

  /** @returns why no account can be made: the name is another source's, or nobody can say now whether it is */
  async #namesOfNew({ source, person }: PersonOfSource): Promise<string[] | NoAccount> {
    try {
      const owner = await this.names.ownerBefore(source, person.username);
      return owner === null ? await this.names.keysOf(source, person) : { reason: nameOf(owner) };
    } catch (error) {
      if (!(error instanceof SourceUnavailable)) throw error;
      return { reason: error.message, isLater: true };
    }
  }

  async #link(accountId: string, of: PersonOfSource, trx: Transaction<Schema>): Promise<void> {
    const { source, person, identity, askedAt } = of;
    const now = this.database.now();
    const { subject } = person;
    if (identity) await insertIdentity({ accountId, issuer: source, subject, ...identity, now }, trx);
    const row = { account_id: accountId, source, subject, profile: this.profileOf(person) };
    await trx
      .insertInto('source_account')
      .values({ ...row, connected_at: now, seen_at: askedAt ?? now })
      .execute();
  }

  /** @returns false if there is nothing to keep, or the account is not to be changed now */
  async #migrate({ account, securityStamp }: EnteredAccount, { source, person, hash, by }: PersonOfSource): Promise<boolean> {
    if (hash === undefined) return false;
    const { subject } = person;
    return this.migrated.take({ accountId: account.id, source, subject, hash, by }, securityStamp);
  }

  async #updated(known: KnownRow, of: PersonOfSource): Promise<EnteredAccount> {
    const { person, askedAt = null } = of;
    const before = enteredBy(known);
    const profile = this.profileOf(person);
    if (known.profile === profile && !of.isAnew) return before;
    const { id } = known;
    const named = await this.#named(known, of);
    // An empty one is that of nobody: the next sign-in tries again.
    const seen = { account: id, profile: named ? profile : '', askedAt };
    await this.#reduced(of, { ...changesOf(before.account, person, this.#draftOf(person)), ...named?.patch }, (patch) =>
      this.accounts.changing(async (trx) => {
        if ((await this.database.run(SEEN, seen, trx)).length === 0) return;
        await this.#change(of, patch, trx);
        if (named) await this.names.write(id, named.keys, trx);
      }),
    );
    const after = await this.#known(of);
    return after ? enteredBy(after) : before;
  }

  /** Compared with what is there while the account is locked. */
  async #change(
    { source, person: { subject }, by }: PersonOfSource,
    patch: AccountPatch,
    trx: Transaction<Schema>,
  ): Promise<void> {
    const [row] = await this.database.run(FIND, { source, subject }, trx);
    const changed = row ? withoutSame(toAccount(row), patch, this.accounts.attributes) : {};
    if (row && Object.keys(changed).length > 0) await this.accounts.updateWithin(trx, { id: row.id, patch: changed, by });
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
    return draftOf(person, this.accounts.attributes.fromTexts(person.attributes));
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
